import {
  createPurchaseSkip,
  found,
  idInPath,
  mfPurchasePlan,
  pauseMfPurchasePlan,
  purchaseSkip,
  purchaseSkipList,
  type CreateSkipInstruction,
  type MfPurchasePlanDto,
  type PauseMfPurchasePlan,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, pathId, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { findPlan } from '../plan/plan.repository.ts';
import { listSkips, skipsQuery } from '../skip/list-skips.ts';
import { findSkip } from '../skip/skip.repository.ts';
import { toSkipInstruction } from '../skip/skip.ts';
import { PurchasePlansGuard } from './purchase-plans.guard.ts';
import { SkipPurchases } from './skip-purchases.ts';

const ONE = { status: 200, description: 'the skip instruction', standardSchema: purchaseSkip };
const LIST = { status: 200, description: 'the skip instructions', standardSchema: purchaseSkipList };
const PLAN = { status: 200, description: 'the plan', standardSchema: mfPurchasePlan };

/** Pauses and skip instructions of purchase plans: SIP-22 to SIP-24. */
@ApiTags('MF purchase plans')
@UseGuards(PurchasePlansGuard)
@Controller('v2/mf_purchase_plans')
export class SkipPurchasesController {
  constructor(
    private readonly database: Database,
    private readonly skips: SkipPurchases,
  ) {}

  @Post(':id/pause')
  @ApiOperation({
    summary: 'Skip the next installments of a purchase plan',
    description:
      'Makes a skip instruction over the next dates that can be skipped: at most 2 installments, 1 of quarterly and rarer plans. The plan stays `active`.',
  })
  @ApiResponse(ONE)
  pause(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: pauseMfPurchasePlan }) asked: PauseMfPurchasePlan,
  ): Promise<SkipInstructionDto> {
    return this.skips.pause(caller, pathId('purchasePlan', id), asked);
  }

  @Post(':id/resume')
  @ApiOperation({
    summary: 'Cancel all active skip instructions of a purchase plan',
    description: 'Installments that were already skipped stay `cancelled`. 409 when there is none to cancel.',
  })
  @ApiResponse(PLAN)
  resume(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfPurchasePlanDto> {
    return this.skips.resume(caller, pathId('purchasePlan', id));
  }

  @Post(':id/skip_instructions')
  @ApiOperation({
    summary: 'Skip the installments of a purchase plan whose dates lie in a range',
    description:
      'The range applies to moved dates. It starts tomorrow at the earliest, with a mandate the day after tomorrow. A skipped installment is created as `cancelled` and keeps its number.',
  })
  @ApiResponse(ONE)
  createOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: createPurchaseSkip }) asked: CreateSkipInstruction & { readonly to: string },
  ): Promise<SkipInstructionDto> {
    return this.skips.create(caller, pathId('purchasePlan', id), asked);
  }

  @Get(':id/skip_instructions')
  @ApiOperation({
    summary: 'List the skip instructions of a purchase plan, newest first',
    description: 'Includes cancelled and completed instructions.',
  })
  @ApiResponse(LIST)
  async list(
    @CallerOf() { tenant }: Caller,
    @Param('id') id: string,
    @Query({ schema: skipsQuery }) asked: z.output<typeof skipsQuery>,
  ) {
    const plan = found(await findPlan(this.database, tenant, pathId('purchasePlan', id), 'purchase'));
    return listSkips(this.database, plan, asked);
  }

  @Get('skip_instructions/:id')
  @ApiOperation({
    summary: 'Fetch a skip instruction of a purchase plan',
    description: "404 when it is unknown or another tenant's.",
  })
  @ApiResponse(ONE)
  async get(@CallerOf() { tenant }: Caller, @Param('id') id: string): Promise<SkipInstructionDto> {
    const skip = await findSkip(this.database, tenant, idInPath('skipInstruction', id));
    return toSkipInstruction(found(skip?.kind === 'purchase' ? skip : null), await this.database.now());
  }

  @Post('skip_instructions/:id/cancel')
  @ApiOperation({
    summary: 'Cancel a skip instruction: later installments are generated again',
    description: 'Installments that were already skipped stay `cancelled`.',
  })
  @ApiResponse(ONE)
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SkipInstructionDto> {
    return this.skips.cancel(caller, idInPath('skipInstruction', id));
  }
}
