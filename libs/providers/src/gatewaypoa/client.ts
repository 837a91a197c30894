import { stringifyJson } from '@fundrail/contracts';
import { HttpCaller, type HttpCallerOptions, type WireAnswer } from '../http-caller.ts';
import { below, type Route } from '../route.ts';

/** `baseUrl` is gatewaypoa's address, without its `/gatewaypoa/…` paths: `http://127.0.0.1:3000`. */
export interface GatewaypoaClientOptions extends HttpCallerOptions {
  readonly apiKey: string;
}

/** HTTP to gatewaypoa: the API key and the idempotency key. Never throws because of the other side. */
export class GatewaypoaClient {
  readonly #caller: HttpCaller;
  readonly #authorization: string;

  constructor(options: GatewaypoaClientOptions) {
    this.#caller = new HttpCaller('gatewaypoa', options);
    this.#authorization = `Bearer ${options.apiKey}`;
  }

  get(path: Route): Promise<WireAnswer> {
    return this.#call(path, { method: 'GET', headers: {} });
  }

  /** `key` is our own id of the object: the same key twice has one effect at gatewaypoa. */
  post(path: Route, key: string, body: object): Promise<WireAnswer> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return this.#call(path, { method: 'POST', headers, body: stringifyJson(body) });
  }

  close(): Promise<void> {
    return this.#caller.close();
  }

  #call(path: Route, call: Parameters<HttpCaller['call']>[1]): Promise<WireAnswer> {
    const headers = { ...call.headers, authorization: this.#authorization };
    return this.#caller.call(below('/gatewaypoa', path), { ...call, headers });
  }
}
