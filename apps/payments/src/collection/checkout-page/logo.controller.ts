import { found, tenantLogo, tenantName } from '@fundrail/contracts';
import { Public } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { TenantLogos } from '../../outside/tenant-logos.ts';
import { LOGO_PATH } from './brand.ts';

/** A year: the address contains the hash of the content, so that it never changes. */
const CACHED = 'public, max-age=31536000, immutable';

/** The logos that the pages show (decision 0040). The headers keep a logo that is opened directly from running scripts. */
@ApiExcludeController()
@Controller(LOGO_PATH.slice(1))
@Public()
export class LogoController {
  constructor(private readonly logos: TenantLogos) {}

  @Get(':tenant/:sha256')
  async show(
    @Param('tenant') tenant: string,
    @Param('sha256') sha256: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isAddress =
      tenantName.safeParse(tenant).success && tenantLogo.shape.sha256.safeParse(sha256).success;
    const logo = found(isAddress ? await this.logos.logo(tenant, sha256) : null);
    const headers = {
      'content-type': logo.media_type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': CACHED,
    };
    void reply.headers(headers).send(logo.content);
  }
}
