import { ApiError, tenantFacts, type TenantFacts } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { PathName } from './path-name.pipe.ts';
import { findTenant } from './tenant.repository.ts';

/** What other services ask about a tenant. */
@Controller('internal/tenants')
@Internal()
export class InternalTenantController {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  @Get(':name')
  @ApiResponse({ status: 200, description: 'The facts.', standardSchema: tenantFacts })
  async get(@Param('name', PathName) name: string): Promise<TenantFacts> {
    const row = await findTenant(this.database, name);
    if (!row) throw new ApiError('NOT_FOUND');
    const secret = this.cipher.decrypt(row.postback_secret_encrypted);
    return { name: row.name, settings: row.settings, postback_secret: secret };
  }
}
