import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SANDBOX_SECRETS } from '@fundrail/service-kit';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY_ID = 'test-key';
/** Far beyond any test's clock: tokens are not what these specs are about. */
const EXPIRES = Date.parse('2100-01-01T00:00:00Z') / 1000;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What identity publishes at `/.well-known/jwks.json`. */
export function keySet(): object {
  return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' }] };
}

/** The `Authorization` header of a tenant's client; with the scope `admin`, of an operator's. */
export function tenantToken(tenant: string, scope = ''): string {
  const text = `${encode({ alg: 'ES256', kid: KEY_ID })}.${encode({ sub: tenant, tenant, scope, exp: EXPIRES })}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `Bearer ${text}.${signature.toString('base64url')}`;
}

/** The `Authorization` header of a neighbour. */
export function serviceToken(service: string): string {
  const claims = { iss: 'fundrail', aud: 'fundrail:internal', sub: service, exp: EXPIRES };
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  const signature = createHmac('sha256', SANDBOX_SECRETS.SERVICE_TOKEN_SECRET)
    .update(text)
    .digest('base64url');
  return `Bearer ${text}.${signature}`;
}
