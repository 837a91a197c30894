import { stringifyJson } from '@fundrail/contracts';
import { HttpCaller, type HttpCallerOptions, type WireAnswer } from '../http-caller.ts';
import { below, type Route } from '../route.ts';

/** `baseUrl` is sdkvendor's address, without its `/v1/…` paths: `https://api.razorpay.com`. */
export interface SdkvendorClientOptions extends HttpCallerOptions {
  readonly keyId: string;
  readonly keySecret: string;
}

/** HTTP to Razorpay: HTTP Basic with the key's id and secret. Never throws because of the other side. */
export class SdkvendorClient {
  readonly #caller: HttpCaller;
  readonly #authorization: string;

  constructor(options: SdkvendorClientOptions) {
    const { keyId, keySecret } = options;
    this.#caller = new HttpCaller('sdkvendor', options);
    this.#authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
  }

  get(path: Route, query: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
    const search = new URLSearchParams(query).toString();
    const headers = { authorization: this.#authorization };
    const { path: text, template } = below('/v1', path);
    const asked = { path: search === '' ? text : `${text}?${search}`, template };
    return this.#caller.call(asked, { method: 'GET', headers });
  }

  post(path: Route, body: object, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
    const own = { authorization: this.#authorization, 'content-type': 'application/json' };
    const call = { method: 'POST' as const, headers: { ...own, ...headers }, body: stringifyJson(body) };
    return this.#caller.call(below('/v1', path), call);
  }

  put(path: Route): Promise<WireAnswer> {
    const headers = { authorization: this.#authorization };
    return this.#caller.call(below('/v1', path), { method: 'PUT', headers });
  }

  delete(path: Route): Promise<WireAnswer> {
    const headers = { authorization: this.#authorization };
    return this.#caller.call(below('/v1', path), { method: 'DELETE', headers });
  }

  close(): Promise<void> {
    return this.#caller.close();
  }
}
