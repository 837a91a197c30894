import { ApiError, type AccessTokenDto } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { grantedScope } from '../client/client.ts';
import type { ClientRow } from '../client/client.table.ts';
import { findClient } from '../client/client.repository.ts';
import { IdentityConfig } from '../config.ts';
import { KeyRing } from '../signing-key/key-ring.ts';
import { mayBeName } from '../tenant/path-name.pipe.ts';
import { findTenant } from '../tenant/tenant.repository.ts';
import { Guesses, type Guess } from './guesses.ts';
import { SecretChecks } from './secret-checks.ts';
import { TokenRefused, type TokenRequest } from './token-request.ts';

// AUTH-2: half an hour, in seconds.
const LIFETIME_S = 1800;

/** Issues a client's access token: a JWT by the built-in issuer (AUTH-8). */
@Injectable()
export class IssueToken {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretChecks,
    private readonly keys: KeyRing,
    private readonly clock: Clock,
    private readonly config: IdentityConfig,
    private readonly guesses: Guesses,
  ) {}

  /**
   * `address` is the caller's address (`clientOf`). Throws `TokenRefused`, and `ApiError` RATE_LIMITED when too many secrets are
   * being checked, or too many were wrong.
   */
  async execute(tenant: string, request: TokenRequest, address: string): Promise<AccessTokenDto> {
    const { otherIssuer } = this.config;
    if (otherIssuer !== null)
      throw new TokenRefused('unauthorized_client', `access tokens are issued by ${otherIssuer} here`);
    const client = await this.authenticated(tenant, request, address);
    const scope = grantedScope(client.scope, request.scope);
    if (scope === null) throw new TokenRefused('invalid_scope', 'the client does not have this scope');
    return {
      access_token: await this.sign(client, scope),
      expires_in: LIFETIME_S,
      refresh_expires_in: 0,
      token_type: 'Bearer',
      'not-before-policy': 0,
      scope,
    };
  }

  /** An unknown tenant, an unknown client and a wrong secret get the same answer, and all count as a guess. */
  private authenticated(tenant: string, request: TokenRequest, address: string): Promise<ClientRow> {
    const guess = { tenant, client_id: request.client_id, address };
    return this.guesses.during(guess, async ({ secondsToWait, isCrowd }) => {
      if (secondsToWait > 0) throw new ApiError('RATE_LIMITED', 'Too many wrong secrets.', [], secondsToWait);
      const client = await this.named(guess);
      const places = isCrowd ? 'crowd' : 'own';
      const fits = await this.secrets.fits(request.client_secret, client?.secret_hash ?? null, places);
      if (fits === null) throw new ApiError('RATE_LIMITED', 'Too many token requests at once.', [], 1);
      if (fits && client) {
        await this.guesses.wasRight(guess);
        return client;
      }
      await this.guesses.wasWrong(guess, client !== null);
      throw new TokenRefused('invalid_client', 'client authentication failed');
    });
  }

  private async named({ tenant, client_id }: Guess): Promise<ClientRow | null> {
    return mayBeName(tenant) && mayBeName(client_id) ? findClient(this.database, tenant, client_id) : null;
  }

  private async sign(client: ClientRow, scope: string): Promise<string> {
    const key = await this.keys.current();
    const now = Math.floor(this.clock.now().getTime() / 1000);
    const { tenant, client_id } = client;
    const compatibility = (await findTenant(this.database, tenant))?.settings.compatibility ?? null;
    return new SignJWT({ tenant, client_id, scope, ...(compatibility !== null && { compatibility }) })
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt' })
      .setIssuer(this.config.issuer)
      .setAudience(this.config.audience)
      .setSubject(client.client_id)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_S)
      .sign(key.privateKey);
  }
}
