import {
  claimsAnswer,
  claimsRequest,
  releaseAnswer,
  releaseRequest,
  type Claim,
  type ClaimResult,
} from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { ClaimOrders } from './claim-orders.ts';
import { ReleaseClaim } from './release-claim.ts';

/** The claim, for payments only (architecture §11). */
@ApiTags('internal')
@Internal()
@Controller('internal/claims')
export class ClaimController {
  constructor(
    private readonly claimOrders: ClaimOrders,
    private readonly releaseClaim: ReleaseClaim,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiResponse({ status: 200, description: 'one result a claim', standardSchema: claimsAnswer })
  async claim(
    @Body({ schema: claimsRequest }) body: { claims: Claim[] },
  ): Promise<{ results: readonly ClaimResult[] }> {
    return { results: await this.claimOrders.execute(body.claims) };
  }

  @Post('release')
  @HttpCode(200)
  @ApiResponse({ status: 200, description: 'how many orders were freed', standardSchema: releaseAnswer })
  async release(
    @Body({ schema: releaseRequest }) body: { tenant: string; payment_id: number },
  ): Promise<{ released: number }> {
    return { released: await this.releaseClaim.execute(body.tenant, body.payment_id) };
  }
}
