import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** One webhook as it arrived. */
export interface Arrival {
  /** The event's id. */
  readonly id: string;
  /** Its type, and for a payment its status behind it: `payment.updated SUCCESS`. */
  readonly label: string;
  /** Wall milliseconds. */
  readonly at: number;
  /** What the investor's UPI app opens. */
  readonly uri: string | null;
}

interface Event {
  readonly type: string;
  readonly data: {
    readonly object: {
      readonly id: string | number;
      readonly status?: string;
      readonly upi?: { readonly uri: string | null } | null;
    };
  };
}

/** Longer than a repeated call to the gateway waits (30 s): what has not come by then is stuck. */
const SILENCE_LIMIT_MS = 60_000;

/** The clients' endpoint: checks each webhook's signature, keeps it with its object, and wakes the buyer who waits for it. */
export class Endpoint {
  /** By the object's id, in the order of arrival. */
  readonly arrivals = new Map<string, Arrival[]>();
  /** Webhooks whose signature was wrong. */
  forged = 0;
  readonly #secrets = new Map<string, string>();
  readonly #waiting = new Map<string, PromiseWithResolvers<Arrival>>();
  #lastAt = 0;

  /** Webhooks to this path are signed with this secret, `whsec_…`. */
  expect(path: string, secret: string): void {
    this.#secrets.set(path, secret);
  }

  /** Takes a webhook that arrived at `at`. Returns the status of the answer. */
  take(path: string, headers: IncomingHttpHeaders, body: string, at: number): 200 | 400 {
    if (!isSigned(this.#secrets.get(path) ?? '', headers, body)) {
      this.forged += 1;
      return 400;
    }
    const { type, data } = JSON.parse(body) as Event;
    const { id, status, upi } = data.object;
    const label = status === undefined ? type : `${type} ${status}`;
    const arrival = { id: String(headers['webhook-id']), label, at, uri: upi?.uri ?? null };
    const known = this.arrivals.get(String(id));
    if (known) known.push(arrival);
    else this.arrivals.set(String(id), [arrival]);
    this.#lastAt = at;
    this.#waiting.get(`${id} ${label}`)?.resolve(arrival);
    this.#waiting.delete(`${id} ${label}`);
    return 200;
  }

  /** Resolves with the object's webhook of that label, also when it is already here. `now` in wall milliseconds. */
  until(object: string, label: string, now: number): Promise<Arrival> {
    const known = this.arrivals.get(object)?.find((arrival) => arrival.label === label);
    if (known) return Promise.resolve(known);
    if (this.#waiting.size === 0) this.#lastAt = now;
    const waiting = Promise.withResolvers<Arrival>();
    this.#waiting.set(`${object} ${label}`, waiting);
    return waiting.promise;
  }

  /** Ends every wait when no webhook has arrived for a minute: these purchases do not end. */
  giveUpAfterSilence(now: number): void {
    if (this.#waiting.size > 0 && now - this.#lastAt > SILENCE_LIMIT_MS)
      this.fail(new Error(`${this.#waiting.size} purchases do not end`));
  }

  /** Ends every wait with this error; its message is completed by an object that waits, and for what. */
  fail(error: Error): void {
    const [first = 'nobody'] = this.#waiting.keys();
    for (const { reject } of this.#waiting.values())
      reject(new Error(`${error.message}; waiting for ${first}`, { cause: error }));
    this.#waiting.clear();
  }
}

/** Standard Webhooks 1.0: one of the signatures is `v1,` and base64 HMAC-SHA256 of "id.timestamp.body". */
function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
  const given = String(headers['webhook-signature']).split(' ');
  return given.some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected));
}
