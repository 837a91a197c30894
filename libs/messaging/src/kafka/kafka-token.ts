import { readFile } from 'node:fs/promises';

const LIMIT_MS = 3_000;

/** The source of the OAUTHBEARER token: a file that is renewed from outside, or an OIDC token endpoint (client credentials). */
export type KafkaTokenSource =
  | { readonly file: string }
  | {
      readonly url: string;
      readonly clientId: string;
      readonly clientSecret: string;
      /** Null: no scope is requested. */
      readonly scope: string | null;
    };

/**
 * The current token. It is not cached: connections are few, and the broker requests a new token when one is due. Rejects within
 * 3 s, with an error that contains neither token nor secret.
 */
export async function readToken(source: KafkaTokenSource): Promise<string> {
  const token = 'file' in source ? (await readFile(source.file, 'utf8')).trim() : await askForToken(source);
  if (token === '') throw new Error('the token for Kafka is empty');
  return token;
}

async function askForToken({
  url,
  clientId,
  clientSecret,
  scope,
}: Exclude<KafkaTokenSource, { readonly file: string }>): Promise<string> {
  // RFC 6749, section 2.3.1: each part encoded as in a form.
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${basic.toString('base64')}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === null ? {} : { scope }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!answer.ok) throw new Error(`the token endpoint for Kafka answered ${answer.status}`);
  const body: unknown = await answer.json();
  const token =
    typeof body === 'object' && body !== null && 'access_token' in body ? body.access_token : null;
  if (typeof token !== 'string') throw new Error('the token endpoint for Kafka returned no access_token');
  return token;
}
