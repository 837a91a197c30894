import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SANDBOX_SECRETS } from '@fundrail/service-kit';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY_ID = 'test-key';
/** How many seconds tokens of identity and of services are valid. */
const LIFETIMES = { tenant: 1_800, service: 300 } as const;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What identity publishes at `/.well-known/jwks.json`. */
export function keySet(): object {
  return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' }] };
}

/** The `Authorization` header of a tenant's client, issued at `now` of the test's clock; with scope `admin`, that of an operator. `more` are further claims. */
export function tenantToken(tenant: string, scope: string, now: Date, more: object = {}): string {
  const life = lifeFrom(now, LIFETIMES.tenant);
  const claims = { ...more, sub: tenant, tenant, scope, aud: 'fundrail', ...life };
  const text = `${encode({ alg: 'ES256', kid: KEY_ID, typ: 'at+jwt' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `Bearer ${text}.${signature.toString('base64url')}`;
}

/** The `Authorization` header of another service. */
export function serviceToken(service: string): string {
  const life = lifeFrom(new Date(), LIFETIMES.service);
  const claims = { iss: 'fundrail', aud: 'fundrail:internal', sub: service, ...life };
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  const signature = createHmac('sha256', SANDBOX_SECRETS.SERVICE_TOKEN_SECRET)
    .update(text)
    .digest('base64url');
  return `Bearer ${text}.${signature}`;
}

function lifeFrom(now: Date, seconds: number): { readonly iat: number; readonly exp: number } {
  const iat = Math.floor(now.getTime() / 1000);
  return { iat, exp: iat + seconds };
}
