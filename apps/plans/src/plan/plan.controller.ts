import {
  cancelMfRedemptionPlan,
  createMfRedemptionPlan,
  listMfRedemptionPlans,
  mfRedemptionPlan,
  mfRedemptionPlanList,
  patchMfRedemptionPlan,
  patchOneMfRedemptionPlan,
} from '@fundrail/contracts';
import type {
  CancelMfRedemptionPlan,
  CreateMfRedemptionPlan,
  ListMfRedemptionPlans,
  MfRedemptionPlanDto,
  PatchMfRedemptionPlan,
  PatchOneMfRedemptionPlan,
} from '@fundrail/contracts';
import { atPath, CallerOf, listOf, pathId, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CancelPlan } from './cancel-plan.ts';
import { ChangePlan } from './change-plan.ts';
import { CreatePlan } from './create-plan.ts';
import { FindPlans } from './find-plans.ts';

const ONE = { status: 200, description: 'the plan', standardSchema: mfRedemptionPlan };
const LIST = { status: 200, description: 'the plans', standardSchema: mfRedemptionPlanList };

/** Redemption plans: docs/specification/withdrawal-plans.md. */
@ApiTags('MF redemption plans')
@Controller('v2/mf_redemption_plans')
export class PlanController {
  constructor(
    private readonly create: CreatePlan,
    private readonly change: ChangePlan,
    private readonly cancel: CancelPlan,
    private readonly find: FindPlans,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a systematic withdrawal plan; the gateway then reviews it',
    description:
      'Each installment redeems the `amount` or the `units`: one of them is required. It starts as `created`. With `consent` it becomes `active` automatically after the review; without it, it waits for a PATCH.',
  })
  @ApiResponse(ONE)
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfRedemptionPlan }) input: CreateMfRedemptionPlan,
  ): Promise<MfRedemptionPlanDto> {
    return this.create.execute(caller, input);
  }

  @Patch()
  @ApiOperation({
    summary: 'Record the consent of a reviewed plan, confirm it, or both',
    description:
      'Consent is written once, in `review_completed`. Once confirmed, the plan is registered and becomes `active`.',
  })
  @ApiResponse(ONE)
  patch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfRedemptionPlan }) input: PatchMfRedemptionPlan,
  ): Promise<MfRedemptionPlanDto> {
    return this.change.execute(caller, input);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Record the consent of a reviewed plan, confirm it, or both',
    description:
      'Consent is written once, in `review_completed`. Once confirmed, the plan is registered and becomes `active`.',
  })
  @ApiResponse(ONE)
  async patchOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: patchOneMfRedemptionPlan }) input: PatchOneMfRedemptionPlan,
  ): Promise<MfRedemptionPlanDto> {
    const plan = await this.find.one(caller.tenant, pathId('redemptionPlan', id));
    return this.change.execute(caller, atPath(input, plan.id));
  }

  @Get()
  @ApiOperation({
    summary: 'List redemption plans, newest first',
    description: 'All plans of the tenant, or those that match every given filter.',
  })
  @ApiResponse(LIST)
  async list(
    @CallerOf() caller: Caller,
    @Query({ schema: listMfRedemptionPlans }) query: ListMfRedemptionPlans,
  ): Promise<ReturnType<typeof listOf<MfRedemptionPlanDto>>> {
    return listOf(await this.find.list(caller.tenant, query));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a redemption plan by its id or its old_id',
    description:
      '`next_` and `previous_installment_date` are business days; `start_date` and `end_date` are nominal.',
  })
  @ApiResponse(ONE)
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfRedemptionPlanDto> {
    return this.find.one(caller.tenant, pathId('redemptionPlan', id));
  }

  @Post(':id/cancel')
  @ApiOperation({
    summary: 'Cancel a plan; its generated installments continue',
    description:
      '`cancellation_code` is the reason; `custom_reason` also needs a `cancellation_reason`. For a plan that has ended, the answer is 409.',
  })
  @ApiResponse(ONE)
  cancelOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: cancelMfRedemptionPlan }) asked: CancelMfRedemptionPlan,
  ): Promise<MfRedemptionPlanDto> {
    return this.cancel.execute(caller, pathId('redemptionPlan', id), asked);
  }
}
