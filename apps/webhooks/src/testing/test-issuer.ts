import type { ServiceName } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** Stands for identity: signs access tokens and answers its key set. */
export class TestIssuer implements ServiceTransport {
  private constructor(
    private readonly privateKey: CryptoKey,
    private readonly publicJwk: JWK,
  ) {}

  static async create(): Promise<TestIssuer> {
    const pair = await generateKeyPair('ES256');
    return new TestIssuer(pair.privateKey, await exportJWK(pair.publicKey));
  }

  async header(tenant: string): Promise<string> {
    return `Bearer ${await this.token(tenant)}`;
  }

  /** An access token that is valid until then, in epoch seconds; for ten minutes when nothing is said. */
  token(tenant: string, expiresAt: number | string = '10 min'): Promise<string> {
    return new SignJWT({ tenant, scope: '' })
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject(`${tenant}-client`)
      .setExpirationTime(expiresAt)
      .sign(this.privateKey);
  }

  /** Its keys, and a token for whoever knows the secret `right`; `flooded` was tried too often. */
  async request(service: ServiceName, { path, body = '' }: TransportRequest): Promise<TransportAnswer> {
    if (service !== 'identity') return { status: 404, body: '' };
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

  close(): Promise<void> {
    return Promise.resolve();
  }
}
