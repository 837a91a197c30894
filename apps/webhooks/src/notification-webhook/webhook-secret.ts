import { createHash, createHmac, randomBytes, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret in the client's format: `whsec_` and 32 random bytes in base64 (HOOK-4). */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The signing key of a secret in the client's format. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** The signed content: the bytes of `body`, and the two headers. `timestamp` is in seconds of wall time. */
interface SignedContent {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/** `webhook-signature` of Standard Webhooks 1.0 under several keys: a receiver accepts the one whose key it has. */
export function webhookSignatures(keys: readonly (KeyObject | Buffer)[], content: SignedContent): string {
  return keys.map((key) => webhookSignature(key, content)).join(' ');
}

/** One signature: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. */
function webhookSignature(key: KeyObject | Buffer, content: SignedContent): string {
  const text = `${content.id}.${content.timestamp}.${content.body}`;
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

/** The key of `fp-signature`: the secret as the client has it, since receivers of the upstream use theirs as text (decision 0058). */
export function secretText(secret: string): Buffer {
  return Buffer.from(secret);
}

/** `fp-signature` of the upstream: `id:base64(HMAC-SHA256(body))`. The id names the secret and cannot be turned back into it. */
export function upstreamSignature(key: KeyObject, body: string): string {
  const id = createHash('sha256').update(key.export()).digest('hex').slice(0, 32);
  return `ntwhsc_${id}:${createHmac('sha256', key).update(body).digest('base64')}`;
}
