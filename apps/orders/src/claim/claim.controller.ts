import { claimsRequest, releaseRequest, type Claim, type ClaimResult } from '@fundrail/contracts';
import type { z } from 'zod';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ClaimOrders } from './claim-orders.ts';
import { ReleaseClaim } from './release-claim.ts';

/** The claim, for payments only (architecture §11). */
@ApiExcludeController()
@Internal()
@Controller('internal/claims')
export class ClaimController {
  constructor(
    private readonly claimOrders: ClaimOrders,
    private readonly releaseClaim: ReleaseClaim,
  ) {}

  @Post()
  async claim(
    @Body({ schema: claimsRequest }) body: { claims: Claim[] },
  ): Promise<{ results: readonly ClaimResult[] }> {
    return { results: await this.claimOrders.execute(body.claims) };
  }

  @Post('release')
  async release(
    @Body({ schema: releaseRequest }) body: z.output<typeof releaseRequest>,
  ): Promise<{ released: number }> {
    return { released: await this.releaseClaim.execute(body.tenant, body.payment_id, body.amc_order_ids) };
  }
}
