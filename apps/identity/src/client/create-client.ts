import { ApiError, type CreatedClientDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { withoutSecret, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { findTenant } from '../tenant/tenant.repository.ts';
import { hashSecret, newSecret } from './client-secret.ts';
import { insertClient } from './client.repository.ts';

/** `POST /admin/tenants/:tenant/clients`. Only this answer contains the secret. Throws `ApiError` NOT_FOUND. */
@Injectable()
export class CreateClient {
  constructor(private readonly database: Database) {}

  async execute(caller: Caller, tenant: string, scope: string): Promise<CreatedClientDto> {
    const clientId = `${tenant}-${randomBytes(8).toString('hex')}`;
    const secret = newSecret();
    const secretHash = await hashSecret(secret);
    return this.database.transaction(async (tx) => {
      if (!(await findTenant(tx, tenant))) throw new ApiError('NOT_FOUND');
      await insertClient(tx, {
        tenant,
        client_id: clientId,
        secret_hash: secretHash,
        scope,
        created_at: tx.now,
      });
      const made = { client_id: clientId, client_secret: secret, scope };
      return caller.answer(tx, made, 200, withoutSecret(made, 'client_secret'));
    });
  }
}
