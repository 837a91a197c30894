import { generateKeyPairSync, sign } from 'node:crypto';

const KID = 'test';
const LIFETIME_S = 1_800;

/** A fake of identity's signing key. */
export class TestTokens {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** The clock for the times in tokens; a stage sets its own. */
  now: () => Date = () => new Date();

  get jwks(): object {
    return { keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: KID, alg: 'ES256' }] };
  }

  /** An `Authorization` header of a tenant's client. */
  header(tenant = 'demo', scope = 'api'): string {
    const iat = Math.floor(this.now().getTime() / 1000);
    const parts = [
      { alg: 'ES256', kid: KID, typ: 'at+jwt' },
      {
        iss: 'https://pay.example.com',
        sub: `${tenant}-client`,
        aud: 'fundrail',
        tenant,
        scope,
        iat,
        exp: iat + LIFETIME_S,
      },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const key = { key: this.keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `Bearer ${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }
}
