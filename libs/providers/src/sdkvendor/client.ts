import { stringifyJson } from '@fundrail/contracts';
import { HttpCaller } from '../http-caller.ts';
import type { HttpCallerOptions, WireAnswer } from '../http-caller.ts';

/** `baseUrl` is where sdkvendor is, without its `/v1/…` paths: `https://api.razorpay.com`. */
export interface SdkvendorClientOptions extends HttpCallerOptions {
  readonly keyId: string;
  readonly keySecret: string;
}

/** HTTP to Razorpay: HTTP Basic with the key's id and secret. Never throws for what the other side does. */
export class SdkvendorClient {
  readonly #caller: HttpCaller;
  readonly #authorization: string;

  constructor(options: SdkvendorClientOptions) {
    const { keyId, keySecret } = options;
    this.#caller = new HttpCaller(options);
    this.#authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
  }

  get(path: string, query: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
    const search = new URLSearchParams(query).toString();
    const headers = { authorization: this.#authorization };
    return this.#caller.call(`/v1${path}${search === '' ? '' : `?${search}`}`, { method: 'GET', headers });
  }

  post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
    const own = { authorization: this.#authorization, 'content-type': 'application/json' };
    const call = { method: 'POST' as const, headers: { ...own, ...headers }, body: stringifyJson(body) };
    return this.#caller.call(`/v1${path}`, call);
  }

  put(path: string): Promise<WireAnswer> {
    const headers = { authorization: this.#authorization };
    return this.#caller.call(`/v1${path}`, { method: 'PUT', headers });
  }

  delete(path: string): Promise<WireAnswer> {
    const headers = { authorization: this.#authorization };
    return this.#caller.call(`/v1${path}`, { method: 'DELETE', headers });
  }

  close(): Promise<void> {
    return this.#caller.close();
  }
}
