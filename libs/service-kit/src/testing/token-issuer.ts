import type { ServiceName } from '@fundrail/contracts';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import type {
  ServiceTransport,
  TransportAnswer,
  TransportRequest,
} from '../http/client/service-transport.ts';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/**
 * Plays identity: signs access tokens, answers `/.well-known/jwks.json` as a transport, and keeps the record of operators. Every tenant
 * except `ghost` exists.
 */
export class TokenIssuer implements ServiceTransport {
  /** Requests for the keys that were answered. */
  fetches = 0;
  isDown = false;
  /** Down without refusing: requests stay open. */
  isStalled = false;
  /** Requests for the keys that were not answered. */
  refusals = 0;

  /** The recorded calls of operators: path and body of each. */
  readonly operatorCalls: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[] = [];

  private constructor(private keys: readonly SigningKey[]) {}

  static async create(): Promise<TokenIssuer> {
    return new TokenIssuer([await newKey('one')]);
  }

  /** Signs with a new key from now on; the old ones stay published unless `alone`. */
  async rotate(kid: string, alone = false): Promise<void> {
    const key = await newKey(kid);
    this.keys = alone ? [key] : [key, ...this.keys];
  }

  async header(claims: { tenant?: string; scope?: string; expiresAt?: number } = {}): Promise<string> {
    const [key] = this.keys;
    if (!key) throw new Error('no key');
    const { tenant = 'demo', scope = 'api', expiresAt = Math.floor(Date.now() / 1000) + 600 } = claims;
    const token = await new SignJWT({ tenant, scope })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt' })
      .setIssuer('https://issuer.test')
      .setAudience('fundrail')
      .setIssuedAt(expiresAt - 1_800)
      .setSubject(`${tenant}-client`)
      .setExpirationTime(expiresAt)
      .sign(key.privateKey);
    return `Bearer ${token}`;
  }

  request(service: ServiceName, { path, body: sent }: TransportRequest): Promise<TransportAnswer> {
    if (this.isDown) this.refusals += 1;
    if (this.isStalled) return new Promise(() => undefined);
    if (this.isDown) return Promise.reject(new Error('connect ECONNREFUSED'));
    if (/^\/internal\/(operator_calls|audit_entries)/.test(path))
      return Promise.resolve(this.record(path, sent ?? '{}'));
    this.fetches += 1;
    const body = JSON.stringify({ keys: this.keys.map((key) => key.publicJwk) });
    return Promise.resolve({ status: service === 'identity' ? 200 : 404, body });
  }

  private record(path: string, text: string): TransportAnswer {
    const body = JSON.parse(text) as Record<string, unknown>;
    this.operatorCalls.push({ path, body });
    const recorded = { id: this.operatorCalls.length, is_tenant_known: body['named_tenant'] !== 'ghost' };
    return { status: 200, body: JSON.stringify('named_tenant' in body ? recorded : { ended: true }) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function newKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}
