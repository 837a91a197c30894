import { SANDBOX_SECRETS } from '@fundrail/service-kit';
import { createHmac } from 'node:crypto';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The `Authorization` header of a call from another service. */
export function serviceToken(): string {
  const claims = {
    iss: 'fundrail',
    aud: 'fundrail:internal',
    sub: 'orders',
    exp: Math.floor(Date.now() / 1000) + 300,
  };
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `Bearer ${text}.${createHmac('sha256', SANDBOX_SECRETS.SERVICE_TOKEN_SECRET).update(text).digest('base64url')}`;
}
