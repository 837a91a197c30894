import {
  createSkipInstruction,
  found,
  idInPath,
  skipInstruction,
  skipInstructionList,
  type CreateSkipInstruction,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, pathId, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { findPlan } from '../plan/plan.repository.ts';
import { listSkips, skipsQuery } from './list-skips.ts';
import { SkipInstallments } from './skip-installments.ts';

const ONE = { status: 200, description: 'the skip instruction', standardSchema: skipInstruction };
const LIST = { status: 200, description: 'the skip instructions', standardSchema: skipInstructionList };

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
    @Query({ schema: skipsQuery }) asked: z.output<typeof skipsQuery>,
  ) {
    const plan = found(await findPlan(this.database, tenant, pathId('redemptionPlan', id)));
    return listSkips(this.database, plan, asked);
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
