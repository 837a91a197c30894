import {
  claimsRequest,
  giveUpRequest,
  releaseRequest,
  type Claim,
  type ClaimResult,
  type GiveUpResult,
} from '@fundrail/contracts';
import type { z } from 'zod';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ClaimOrders } from './claim-orders.ts';
import { GiveUpOrders } from './give-up-orders.ts';
import { ReleaseClaim } from './release-claim.ts';

/** The internal endpoints for the claims of payments (docs/specification/claims.md). */
@ApiExcludeController()
@Internal()
@Controller('internal/claims')
export class ClaimController {
  constructor(
    private readonly claimOrders: ClaimOrders,
    private readonly releaseClaim: ReleaseClaim,
    private readonly giveUpOrders: GiveUpOrders,
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
    return { released: await this.releaseClaim.execute(body) };
  }

  @Post('give-up')
  async giveUp(
    @Body({ schema: giveUpRequest }) body: z.output<typeof giveUpRequest>,
  ): Promise<{ results: readonly GiveUpResult[] }> {
    return { results: await this.giveUpOrders.execute(body.give_ups) };
  }
}
