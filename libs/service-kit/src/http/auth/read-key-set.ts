import { request } from 'undici';
import type { ServiceTransport } from '../client/service-transport.ts';

/** Reads a JSON Web Key Set (RFC 7517) as text. Rejects when it does not arrive in time: 2 s, in one process 10. */
export type ReadKeySet = () => Promise<string>;

const TIMEOUT_MS = 2_000;

/** The keys of the built-in issuer, from identity. */
export function keysOfIdentity(transport: ServiceTransport): ReadKeySet {
  return async () => {
    const answer = await transport.request('identity', {
      method: 'GET',
      path: '/.well-known/jwks.json',
      headers: {},
      timeoutMs: TIMEOUT_MS,
      isRepeatable: true,
    });
    if (answer.status !== 200) throw new Error(`identity answered ${answer.status}`);
    return answer.body;
  };
}

/** The keys of an OpenID provider, from its `jwks_uri`. Redirects are not followed. */
export function keysAt(url: string): ReadKeySet {
  return async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await request(url, { headers: { accept: 'application/json' }, signal });
    const body = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`the provider answered ${answer.statusCode}`);
    return body;
  };
}
