import { generateKeyPairSync, sign } from 'node:crypto';

const KID = 'test';
/** Later than any date that a test moves to. */
const EXPIRES = Date.parse('2040-01-01T00:00:00Z') / 1000;

/** Stands for identity's signing key. */
export class TestTokens {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  get jwks(): object {
    return { keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: KID, alg: 'ES256' }] };
  }

  /** An `Authorization` header of a tenant's client. */
  header(tenant = 'demo', scope = 'api'): string {
    const parts = [
      { alg: 'ES256', kid: KID },
      { sub: `${tenant}-client`, tenant, scope, exp: EXPIRES },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const key = { key: this.keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `Bearer ${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }
}
