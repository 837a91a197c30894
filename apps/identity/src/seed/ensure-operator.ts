import { newId } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { hashSecret, newSecret, verifySecret } from '../client/client-secret.ts';
import { findClient, putClient } from '../client/client.repository.ts';
import { defaultSettings, postbackSecretCell } from '../tenant/tenant.ts';
import { insertTenant } from '../tenant/tenant.repository.ts';
import { OPERATOR_TENANT } from './seed.ts';

/** Creates or updates the first admin client, in tenant `operator`, from the environment (AUTH-14). */
@Injectable()
export class EnsureOperator {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  async execute(operator: { readonly client_id: string; readonly client_secret: string }): Promise<void> {
    const known = await findClient(this.database, OPERATOR_TENANT, operator.client_id);
    if (known?.scope === 'admin' && (await verifySecret(operator.client_secret, known.secret_hash))) return;
    const secretHash = await hashSecret(operator.client_secret);
    await this.database.transaction(async (tx) => {
      await insertTenant(tx, {
        name: OPERATOR_TENANT,
        id: newId('tenant'),
        settings: defaultSettings(false),
        postback_secret_encrypted: this.cipher.encrypt(newSecret(), postbackSecretCell(OPERATOR_TENANT)),
        created_at: tx.now,
      });
      await putClient(tx, {
        tenant: OPERATOR_TENANT,
        client_id: operator.client_id,
        secret_hash: secretHash,
        scope: 'admin',
        created_at: tx.now,
      });
    });
  }
}
