import { seedFacts, tenantFacts } from '@fundrail/contracts';
import { Public, ServiceClient } from '@fundrail/service-kit/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { SimulatorConfig } from '../config.ts';

const sandboxSeed = seedFacts
  .extend({
    gatewaypoa: z.strictObject({ base_url: z.url(), webhook_secret: z.string() }),
    sdkvendor: z.strictObject({
      base_url: z.url(),
      key_id: z.string(),
      key_secret: z.string(),
      webhook_secret: z.string(),
    }),
    webhook_host: z.string(),
    // The seeded tenant was made by nobody's request, so nothing else ever shows its secret (contract §3 "Postback").
    postback_secret: z.string(),
  })
  .meta({ id: 'SandboxSeed' });

/** What the sandbox was seeded with, and how to act as its outside systems (contract §9, §10 "Sandbox"). */
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
    summary: 'The seeded ids, clients and outside systems',
    description: 'Sandbox only, without a token: what the first calls need.',
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
