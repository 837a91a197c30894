import { stringifyJson } from '@fundrail/contracts';
import { HttpCaller, type HttpCallerOptions, type WireAnswer } from '../../http-caller.ts';
import type { Route } from '../../route.ts';

/** HTTP to thirdpay. Our reference is in each path: the same one twice is one object. */
export class ThirdpayClient {
  readonly #caller: HttpCaller;

  constructor(options: HttpCallerOptions) {
    this.#caller = new HttpCaller('thirdpay', options);
  }

  get(path: Route): Promise<WireAnswer> {
    return this.#caller.call(path, { method: 'GET', headers: {} });
  }

  post(path: Route, body: object): Promise<WireAnswer> {
    const headers = { 'content-type': 'application/json' };
    return this.#caller.call(path, { method: 'POST', headers, body: stringifyJson(body) });
  }

  close(): Promise<void> {
    return this.#caller.close();
  }
}
