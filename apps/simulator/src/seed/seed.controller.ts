import { seedFacts, tenantFacts } from '@fundrail/contracts';
import { Public, ServiceClient } from '@fundrail/service-kit/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { SimulatorConfig } from '../config.ts';

const sandboxSeed = seedFacts
  .extend({
    gatewaypoa: z.strictObject({ base_url: z.url(), webhook_secret: z.string() }),
    sdkvendor: z
      .strictObject({
        base_url: z.url(),
        key_id: z.string(),
        key_secret: z.string(),
        webhook_secret: z.string(),
      })
      .describe('Where the simulated provider is, its key, and the secret of its callbacks'),
    webhook_host: z.string(),
    // No request created the seeded tenant, so its secret is shown only here (PAGE-12).
    postback_secret: z.string(),
  })
  .meta({ id: 'SandboxSeed' });

/** The seed data of the sandbox, and the credentials of its outside systems (SAND-15). */
@ApiTags('Sandbox')
@Controller('sandbox/seed')
export class SeedController {
  constructor(
    private readonly services: ServiceClient,
    private readonly config: SimulatorConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    summary: 'Get the seeded ids, clients and outside systems',
    description: 'Sandbox only, no token needed: the data that you need for your first calls.',
  })
  @ApiResponse({ status: 200, description: 'The seed', standardSchema: sandboxSeed })
  async read() {
    const seed = await this.services.call('identity', {
      method: 'GET',
      path: '/internal/seed',
      answer: seedFacts,
    });
    const { postback_secret } = await this.services.call('identity', {
      method: 'GET',
      path: `/internal/tenants/${encodeURIComponent(seed.tenant)}`,
      answer: tenantFacts,
    });
    const { gatewaypoaBaseUrl: base_url, webhookSecret: webhook_secret, webhookHost } = this.config;
    return {
      ...seed,
      gatewaypoa: { base_url, webhook_secret },
      sdkvendor: this.sdkvendor(),
      webhook_host: webhookHost,
      postback_secret,
    };
  }

  private sdkvendor() {
    const { baseUrl, keyId, keySecret, webhookSecret } = this.config.sdkvendor;
    return { base_url: baseUrl, key_id: keyId, key_secret: keySecret, webhook_secret: webhookSecret };
  }
}
