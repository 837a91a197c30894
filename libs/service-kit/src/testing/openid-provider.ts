import { exportJWK, generateKeyPair } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Adapter } from 'oidc-provider';

/** The claim with the tenant's name. */
export const TENANT_CLAIM = 'https://fundrail.example/tenant';
export const AUDIENCE = 'https://api.fundrail.example';
const CLIENT = { id: 'app', secret: 'a-secret-of-the-app' };

interface Signing {
  readonly issuer: string;
  readonly kid: string;
  /** Whether the earlier keys stay published. */
  readonly keepsOld?: boolean;
}

/** A real OpenID provider (`oidc-provider`) on this machine, with one client that receives JWTs by its credentials. */
export class OpenIdProvider {
  private handler: ReturnType<Provider['callback']> | null = null;
  private keys: object[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OpenIdProvider> {
    const server = createServer((request, response) => void provider.handler?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new OpenIdProvider(server, url);
    await provider.signWith({ issuer: url, kid: 'one' });
    return provider;
  }

  /** Uses this issuer and a new key from now on. */
  async signWith({ issuer, kid, keepsOld = false }: Signing): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
    this.keys = keepsOld ? [key, ...this.keys] : [key];
    this.handler = providerOf(issuer, this.keys).callback();
  }

  /** An access token by client credentials, for this audience. */
  async token({ scope = '', audience = AUDIENCE } = {}): Promise<string> {
    const answer = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: audience }),
    });
    const { access_token } = (await answer.json()) as { access_token?: string };
    if (access_token === undefined) throw new Error(`no token: ${answer.status}`);
    return access_token;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Stores nothing, because JWT tokens are not looked up. */
class KeepsNothing implements Adapter {
  readonly upsert = () => Promise.resolve();
  readonly find = () => Promise.resolve(undefined);
  readonly findByUserCode = this.find;
  readonly findByUid = this.find;
  readonly consume = this.upsert;
  readonly destroy = this.upsert;
  readonly revokeByGrantId = this.upsert;
}

function providerOf(issuer: string, keys: object[]): Provider {
  return new Provider(issuer, {
    jwks: { keys },
    adapter: KeepsNothing,
    ttl: { ClientCredentials: 600 },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ['admin'],
    extraTokenClaims: () => ({ [TENANT_CLAIM]: 'demo' }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: 'admin',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
        }),
      },
    },
  });
}
