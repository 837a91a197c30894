import { found, type ChangeTenantSettings as Changes, type TenantDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { IdentityConfig } from '../config.ts';
import { changedSettings, logoOf, toTenant } from './tenant.ts';
import { putLogo } from './tenant-logo.repository.ts';
import { lockTenant, updateTenantSettings } from './tenant.repository.ts';

/** `PATCH /admin/tenants/:name/settings`. Throws `ApiError` NOT_FOUND, or `ValidationFailed` with the setting. */
@Injectable()
export class ChangeTenantSettings {
  constructor(
    private readonly database: Database,
    private readonly config: IdentityConfig,
  ) {}

  execute(caller: Caller, name: string, changes: Changes): Promise<TenantDto> {
    return this.database.transaction(async (tx) => {
      const row = found(await lockTenant(tx, name));
      const { sandbox } = this.config;
      const settings = changedSettings(row.settings, changes, { sandbox, now: tx.now });
      await updateTenantSettings(tx, name, settings);
      if (changes.logo !== undefined)
        await putLogo(tx, name, changes.logo === null ? null : logoOf(changes.logo));
      return caller.answer(tx, toTenant({ ...row, settings }));
    });
  }
}
