import { createHmac, randomBytes, type KeyObject } from 'node:crypto';

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
