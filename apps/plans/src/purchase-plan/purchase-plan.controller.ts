import {
  cancelMfPurchasePlan,
  cancelOneMfPurchasePlan,
  createMfPurchasePlan,
  createMfPurchasePlans,
  listMfPurchasePlans,
  mfPurchasePlan,
  mfPurchasePlanList,
  patchMfPurchasePlan,
  patchMfPurchasePlans,
  patchOneMfPurchasePlan,
} from '@fundrail/contracts';
import type {
  CancelMfPurchasePlan,
  CancelOneMfPurchasePlan,
  CreateMfPurchasePlan,
  ListMfPurchasePlans,
  MfPurchasePlanDto,
  PatchMfPurchasePlan,
  PatchOneMfPurchasePlan,
} from '@fundrail/contracts';
import { atPath, CallerOf, first, listOf, pathId, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CancelPlan } from '../plan/cancel-plan.ts';
import { FindPlans } from '../plan/find-plans.ts';
import { ChangePurchasePlans } from './change-purchase-plans.ts';
import { CreatePurchasePlans } from './create-purchase-plans.ts';
import { PurchasePlansGuard } from './purchase-plans.guard.ts';

type PlanList = ReturnType<typeof listOf<MfPurchasePlanDto>>;

const ONE = { status: 200, description: 'the plan', standardSchema: mfPurchasePlan };
const LIST = { status: 200, description: 'the plans', standardSchema: mfPurchasePlanList };
const PATCH_TEXT =
  'In `review_completed`: the consent, `state: "confirmed"`, or both. Before the confirmation: a mandate. While `active`, with a `consent` of its own: `amount` and `step_up` (null ends it), or a mandate, for installments not generated yet.';

/** Purchase plans: docs/specification/purchase-plans.md. */
@ApiTags('MF purchase plans')
@UseGuards(PurchasePlansGuard)
@Controller('v2/mf_purchase_plans')
export class PurchasePlanController {
  constructor(
    private readonly create: CreatePurchasePlans,
    private readonly change: ChangePurchasePlans,
    private readonly cancel: CancelPlan,
    private readonly find: FindPlans,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a systematic purchase plan (SIP); the gateway then reviews it',
    description:
      'It starts as `created`. With `consent` it becomes `active` automatically after the review; without it, it waits for a PATCH. With a mandate, each installment is collected on its date.',
  })
  @ApiResponse(ONE)
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfPurchasePlan }) input: CreateMfPurchasePlan,
  ): Promise<MfPurchasePlanDto> {
    return this.create.execute(caller, { inputs: [input], prefix: 'alone' }, first);
  }

  @Post('batch')
  @ApiOperation({
    summary: 'Create up to 10 purchase plans of one account, all or none',
    description: 'If one is refused, none is created, and the error contains its position in the list.',
  })
  @ApiResponse(LIST)
  createBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfPurchasePlans }) input: { mf_purchase_plans: CreateMfPurchasePlan[] },
  ): Promise<PlanList> {
    const asked = { inputs: input.mf_purchase_plans, prefix: 'mf_purchase_plans' } as const;
    return this.create.execute(caller, asked, listOf);
  }

  @Patch()
  @ApiOperation({ summary: 'Confirm a purchase plan, or change its terms', description: PATCH_TEXT })
  @ApiResponse(ONE)
  patch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfPurchasePlan }) input: PatchMfPurchasePlan,
  ): Promise<MfPurchasePlanDto> {
    return this.change.execute(caller, { patches: [input], prefix: 'alone' }, first);
  }

  @Patch('batch')
  @ApiOperation({
    summary: 'Confirm or change up to 10 purchase plans of one account, all or none',
    description: 'If one is refused, none is changed, and the error contains its position in the list.',
  })
  @ApiResponse(LIST)
  patchBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfPurchasePlans }) input: { mf_purchase_plans: PatchMfPurchasePlan[] },
  ): Promise<PlanList> {
    const asked = { patches: input.mf_purchase_plans, prefix: 'mf_purchase_plans' } as const;
    return this.change.execute(caller, asked, listOf);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Confirm a purchase plan, or change its terms', description: PATCH_TEXT })
  @ApiResponse(ONE)
  async patchOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: patchOneMfPurchasePlan }) input: PatchOneMfPurchasePlan,
  ): Promise<MfPurchasePlanDto> {
    const plan = await this.find.onePurchase(caller, pathId('purchasePlan', id));
    return this.change.execute(caller, { patches: [atPath(input, plan.id)], prefix: 'alone' }, first);
  }

  @Get()
  @ApiOperation({
    summary: 'List purchase plans, newest first',
    description: 'All plans of the tenant, or those that match every given filter.',
  })
  @ApiResponse(LIST)
  async list(
    @CallerOf() caller: Caller,
    @Query({ schema: listMfPurchasePlans }) query: ListMfPurchasePlans,
  ): Promise<PlanList> {
    return listOf(await this.find.listPurchases(caller, query));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a purchase plan by its id or its old_id',
    description:
      '`next_` and `previous_installment_date` are business days; `start_date` and `end_date` are nominal.',
  })
  @ApiResponse(ONE)
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfPurchasePlanDto> {
    return this.find.onePurchase(caller, pathId('purchasePlan', id));
  }

  @Post('cancel')
  @ApiOperation({
    operationId: 'cancelMfPurchasePlanByBody',
    summary: 'Cancel a purchase plan; its generated installments continue',
    description:
      '`cancellation_code` is the reason; `custom_reason` also needs a `cancellation_reason`. The id may be in the body or in the path.',
  })
  @ApiResponse(ONE)
  async cancelByBody(
    @CallerOf() caller: Caller,
    @Body({ schema: cancelMfPurchasePlan }) asked: CancelMfPurchasePlan,
  ): Promise<MfPurchasePlanDto> {
    const id = await this.find.purchaseNamed(caller.tenant, asked.id);
    return this.cancel.purchase(caller, { id }, asked);
  }

  @Post(':id/cancel')
  @ApiOperation({
    summary: 'Cancel a purchase plan; its generated installments continue',
    description:
      '`cancellation_code` is the reason; `custom_reason` also needs a `cancellation_reason`. For a plan that has ended, the answer is 409.',
  })
  @ApiResponse(ONE)
  async cancelOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: cancelOneMfPurchasePlan }) asked: CancelOneMfPurchasePlan,
  ): Promise<MfPurchasePlanDto> {
    const plan = await this.find.onePurchase(caller, pathId('purchasePlan', id));
    return this.cancel.purchase(caller, plan, atPath(asked, plan.id));
  }
}
