import { createHmac, timingSafeEqual } from 'node:crypto';
import { BadSignature, type CallbackHeaders } from '../answer.ts';

export const SIGNATURE_HEADER = 'x-gatewaypoa-signature';

/** The largest difference between a callback's time stamp and our wall clock: enough for slow clocks, too short for a replay. */
const TOLERANCE_MS = 5 * 60_000;

/** The signature header of a callback: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.rawBody" under the secret>`. */
export function signCallback(secret: string, rawBody: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000).toString();
  return `t=${seconds},v1=${digest(secret, seconds, rawBody).toString('hex')}`;
}

/**
 * Checks a callback's signature over its raw body, in constant time. `now` is the wall clock.
 * Throws `BadSignature` when the header is missing, malformed or too old, or when no `v1` in it matches.
 */
export function verifyCallback(secret: string, headers: CallbackHeaders, rawBody: string, now: Date): void {
  const { seconds, signatures } = parseHeader(headers[SIGNATURE_HEADER]);
  if (Math.abs(now.getTime() - Number(seconds) * 1000) > TOLERANCE_MS)
    throw new BadSignature("the callback's time stamp is too far from our clock");
  const expected = digest(secret, seconds, rawBody);
  if (!signatures.some((signature) => sameBytes(expected, signature)))
    throw new BadSignature("the callback's signature does not fit its body");
}

function parseHeader(header: string | string[] | undefined): { seconds: string; signatures: Buffer[] } {
  if (typeof header !== 'string') throw new BadSignature(`exactly one ${SIGNATURE_HEADER} header is needed`);
  const parts = header.split(',').map((part) => part.trim());
  const seconds = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2);
  // While the provider rotates its secrets, there is one `v1` for each secret.
  const signatures = parts
    .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
    .map((part) => Buffer.from(part.slice(3), 'hex'));
  if (!seconds || signatures.length === 0)
    throw new BadSignature(`the ${SIGNATURE_HEADER} header is malformed`);
  return { seconds, signatures };
}

function digest(secret: string, seconds: string, rawBody: string): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.${rawBody}`).digest();
}

function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
