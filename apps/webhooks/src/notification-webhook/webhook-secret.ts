import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret as the client is told it: `whsec_` and 32 random bytes in base64 (contract §6). */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** What is signed: the bytes of `body`, and the two headers. `timestamp` is in seconds of wall time. */
export interface SignedContent {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/** `webhook-signature` of Standard Webhooks 1.0 under several secrets: a receiver takes the one that it knows. */
export function webhookSignatures(secrets: readonly string[], content: SignedContent): string {
  return secrets.map((secret) => webhookSignature(secret, content)).join(' ');
}

/** One signature: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. */
function webhookSignature(secret: string, content: SignedContent): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const text = `${content.id}.${content.timestamp}.${content.body}`;
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}
