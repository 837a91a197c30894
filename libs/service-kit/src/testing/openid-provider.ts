import { LocalServer } from '@fundrail/testing';
import { exportJWK, generateKeyPair } from 'jose';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
export class OpenIdProvider extends LocalServer {
  private handler: ReturnType<Provider['callback']> | null = null;
  private keys: object[] = [];

  override async listen(): Promise<this> {
    await super.listen();
    await this.signWith({ issuer: this.url, kid: 'one' });
    return this;
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

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.handler?.(request, response);
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
