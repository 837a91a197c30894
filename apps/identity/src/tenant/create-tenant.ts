import { newId, ValidationFailed, type CreatedTenantDto, type CreateTenantDto } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { withoutSecret, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { newSecret } from '../client/client-secret.ts';
import { IdentityConfig } from '../config.ts';
import { changedSettings, defaultSettings, logoOf, postbackSecretCell, toTenant } from './tenant.ts';
import { putLogo } from './tenant-logo.repository.ts';
import { insertTenant } from './tenant.repository.ts';

/** `POST /admin/tenants`. Throws `ValidationFailed` when the name is taken. */
@Injectable()
export class CreateTenant {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
    private readonly config: IdentityConfig,
  ) {}

  execute(caller: Caller, input: CreateTenantDto): Promise<CreatedTenantDto> {
    const { sandbox } = this.config;
    const secret = newSecret();
    return this.database.transaction(async (tx) => {
      const given = { sandbox, now: tx.now, within: 'settings.' };
      const settings = changedSettings(defaultSettings(sandbox), input.settings ?? {}, given);
      const row = await insertTenant(tx, {
        name: input.name,
        id: newId('tenant'),
        settings,
        postback_secret_encrypted: this.cipher.encrypt(secret, postbackSecretCell(input.name)),
        created_at: tx.now,
      });
      if (!row) throw new ValidationFailed([{ field: 'name', message: 'should be unique' }]);
      if (input.settings?.logo) await putLogo(tx, input.name, logoOf(input.settings.logo));
      const made = { ...toTenant(row), postback_secret: secret };
      return caller.answer(tx, made, 200, withoutSecret(made, 'postback_secret'));
    });
  }
}
