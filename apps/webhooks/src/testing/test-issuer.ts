import type { ServiceName } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { answered, tenantOf } from '@fundrail/testing';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

const TENANTS = '/internal/tenants/';

/** Simulates identity: signs access tokens and serves its key set. */
export class TestIssuer implements ServiceTransport {
  private constructor(
    private readonly privateKey: CryptoKey,
    private readonly publicJwk: JWK,
  ) {}

  /** Tenants whose setting `verify_endpoints` is on. */
  readonly verifying = new Set<string>();
  /** When true, requests about tenants fail, as when identity is down. */
  isSilent = false;

  static async create(): Promise<TestIssuer> {
    const pair = await generateKeyPair('ES256');
    return new TestIssuer(pair.privateKey, await exportJWK(pair.publicKey));
  }

  async header(tenant: string): Promise<string> {
    return `Bearer ${await this.token(tenant)}`;
  }

  /** An access token that is valid until `expiresAt` in epoch seconds. Default: ten minutes. */
  token(tenant: string, expiresAt: number | string = '10 min', scope = ''): Promise<string> {
    return new SignJWT({ tenant, scope })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setAudience('fundrail')
      .setSubject(`${tenant}-client`)
      .setIssuedAt()
      .setExpirationTime(expiresAt)
      .sign(this.privateKey);
  }

  /** Serves its keys, and a token for the client secret `right`. The secret `flooded` gets a 429. */
  async request(service: ServiceName, { path, body = '' }: TransportRequest): Promise<TransportAnswer> {
    if (service !== 'identity') return { status: 404, body: '' };
    if (path.startsWith(TENANTS)) return this.factsOf(decodeURIComponent(path.slice(TENANTS.length)));
    if (path !== '/internal/tokens')
      return { status: 200, body: JSON.stringify({ keys: [{ ...this.publicJwk, alg: 'ES256' }] }) };
    const { tenant, client_secret } = JSON.parse(body) as Record<string, string>;
    if (client_secret === 'flooded') return { status: 200, body: '{"access_token":null,"retry_after_s":37}' };
    const isRight = tenant !== undefined && client_secret === 'right';
    return {
      status: 200,
      body: JSON.stringify({ access_token: isRight ? await this.token(tenant) : null }),
    };
  }

  private factsOf(name: string): TransportAnswer {
    if (this.isSilent) return { status: 503, body: '' };
    return answered(tenantOf(name, { verify_endpoints: this.verifying.has(name) }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
