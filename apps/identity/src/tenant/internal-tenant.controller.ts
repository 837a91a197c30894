import {
  found,
  tenantFacts,
  tenantLogo,
  tenantLogoContent,
  type TenantFacts,
  type TenantLogoContent,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { PathName } from './path-name.pipe.ts';
import { postbackSecretCell } from './tenant.ts';
import { findLogo } from './tenant-logo.repository.ts';
import { findTenant } from './tenant.repository.ts';

const logoQuery = z.strictObject({ sha256: tenantLogo.shape.sha256 });

/** Tenants for other services. */
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
    const row = found(await findTenant(this.database, name));
    const secret = this.cipher.decrypt(row.postback_secret_encrypted, postbackSecretCell(row.name));
    return { name: row.name, settings: row.settings, postback_secret: secret };
  }

  /** The same without the secret, for services that need only settings. */
  @Get(':name/settings')
  @ApiResponse({ status: 200, description: 'The settings.', standardSchema: tenantFacts.shape.settings })
  async settings(@Param('name', PathName) name: string): Promise<TenantFacts['settings']> {
    return found(await findTenant(this.database, name)).settings;
  }

  @Get(':name/logo')
  @ApiResponse({ status: 200, description: 'The logo.', standardSchema: tenantLogoContent })
  async logo(
    @Param('name', PathName) name: string,
    @Query({ schema: logoQuery }) { sha256 }: z.output<typeof logoQuery>,
  ): Promise<TenantLogoContent> {
    const logo = found(await findLogo(this.database, name, sha256));
    return { media_type: logo.media_type, content: logo.content.toString('base64') };
  }
}
