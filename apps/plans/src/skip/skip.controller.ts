import {
  ApiError,
  createSkipInstruction,
  prefixedId,
  skipInstruction,
  skipInstructionList,
  ValidationFailed,
  type CreateSkipInstruction,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listQuery, pathId, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { findPlan } from '../plan/plan.repository.ts';
import { SkipInstallments } from './skip-installments.ts';
import { findSkip, listSkips } from './skip.repository.ts';
import { toSkipInstruction } from './skip.ts';

const ONE = { status: 200, description: 'the skip instruction', standardSchema: skipInstruction };
const LIST = { status: 200, description: 'the skip instructions', standardSchema: skipInstructionList };
const query = listQuery({ starting_after: prefixedId('skipInstruction').optional() });

/** Skip instructions of redemption plans: PLAN-26. */
@ApiTags('MF redemption plans')
@Controller('v2/mf_redemption_plans')
export class SkipController {
  constructor(
    private readonly database: Database,
    private readonly skips: SkipInstallments,
  ) {}

  @Post(':id/skip_instructions')
  @ApiOperation({
    summary: 'Skip the installments of a plan whose dates lie in a range',
    description:
      'The range applies to moved dates and starts tomorrow at the earliest. A skipped installment is created as `cancelled` and keeps its number.',
  })
  @ApiResponse(ONE)
  createOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: createSkipInstruction }) asked: CreateSkipInstruction,
  ): Promise<SkipInstructionDto> {
    return this.skips.create(caller, pathId('redemptionPlan', id), asked);
  }

  @Get(':id/skip_instructions')
  @ApiOperation({
    summary: 'List the skip instructions of a plan, newest first',
    description: 'Includes cancelled and completed instructions.',
  })
  @ApiResponse(LIST)
  async list(
    @CallerOf() { tenant }: Caller,
    @Param('id') id: string,
    @Query({ schema: query }) { limit, starting_after }: z.output<typeof query>,
  ): Promise<ReturnType<typeof listOf<SkipInstructionDto>>> {
    const plan = await findPlan(this.database, tenant, pathId('redemptionPlan', id));
    if (!plan) throw new ApiError('NOT_FOUND');
    const before = starting_after ?? null;
    if (before !== null && (await findSkip(this.database, tenant, before))?.plan_id !== plan.id)
      throw new ValidationFailed([
        { field: 'starting_after', message: 'is not a skip instruction of this plan' },
      ]);
    const now = await this.database.now();
    const rows = await listSkips(this.database, tenant, plan.id, { before, limit });
    return listOf(rows.map((row) => toSkipInstruction(row, now)));
  }

  @Post('skip_instructions/:id/cancel')
  @ApiOperation({
    summary: 'Cancel a skip instruction: later installments are generated again',
    description: 'Installments that were already skipped stay `cancelled`.',
  })
  @ApiResponse(ONE)
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<SkipInstructionDto> {
    if (!prefixedId('skipInstruction').safeParse(id).success) throw new ApiError('NOT_FOUND');
    return this.skips.cancel(caller, id);
  }
}
