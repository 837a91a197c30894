import type { ServiceName } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer } from '@fundrail/service-kit/http';
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
    const token = await new SignJWT({ tenant, scope: '' })
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject(`${tenant}-client`)
      .setExpirationTime('10 min')
      .sign(this.privateKey);
    return `Bearer ${token}`;
  }

  request(service: ServiceName): Promise<TransportAnswer> {
    const body = JSON.stringify({ keys: [{ ...this.publicJwk, alg: 'ES256' }] });
    return Promise.resolve({ status: service === 'identity' ? 200 : 404, body });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
