import {
  createMfRedemptions,
  createRedemptionOrInstallment,
  listMfRedemptions,
  mfRedemption,
  mfRedemptionList,
  patchMfRedemption,
  patchMfRedemptions,
  patchOneMfRedemption,
  type CreateMfRedemption,
  type CreateRedemptionOrInstallment,
  type ListMfRedemptions,
  type MfRedemptionDto,
  type PatchMfRedemption,
  type PatchOneMfRedemption,
} from '@fundrail/contracts';
import { atPath, CallerOf, first, listOf, pathId, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CancelOrder } from '../order/cancel-order.ts';
import { ChangeOrders } from '../order/change-orders.ts';
import { CreateOrders } from '../order/create-orders.ts';
import { FindOrders } from '../order/find-orders.ts';
import { redemptionsOf } from '../order/order-kind.ts';
import { GenerateInstallment } from './generate-installment.ts';

const ONE = { status: 200, description: 'the redemption', standardSchema: mfRedemption };
const LIST = { status: 200, description: 'the redemptions', standardSchema: mfRedemptionList };

/** Redemption orders and installments of plans: docs/specification/orders.md. */
@ApiTags('MF redemptions')
@Controller('v2/mf_redemptions')
export class MfRedemptionController {
  constructor(
    private readonly create: CreateOrders,
    private readonly change: ChangeOrders,
    private readonly cancel: CancelOrder,
    private readonly find: FindOrders,
    private readonly generate: GenerateInstallment,
  ) {}

  @Post()
  @ApiOperation({
    summary: "Create a redemption order, or a plan's next installment; the gateway then reviews it",
    description:
      'The redemption starts as `under_review` and becomes `pending` or `failed`. A `source_ref_id` must be unique.',
  })
  @ApiResponse(ONE)
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createRedemptionOrInstallment }) input: CreateRedemptionOrInstallment,
  ): Promise<MfRedemptionDto> {
    if ('plan' in input) return this.generate.execute(caller, input);
    return this.create.execute(redemptionsOf(caller), caller, { inputs: [input], prefix: 'alone' }, first);
  }

  @Post('batch')
  @ApiOperation({
    summary: 'Create up to 10 redemption orders of one account, all or none',
    description: 'If one is refused, none is created, and the error contains its position in the list.',
  })
  @ApiResponse(LIST)
  createBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfRedemptions }) input: { mf_redemptions: CreateMfRedemption[] },
  ): Promise<MfRedemptionListDto> {
    return this.create.execute(
      redemptionsOf(caller),
      caller,
      { inputs: input.mf_redemptions, prefix: 'mf_redemptions' },
      listOf,
    );
  }

  @Patch()
  @ApiOperation({
    summary: 'Record the consent of a pending redemption, confirm it, or both',
    description:
      'A confirmed redemption is submitted to the gateway. The id may be in the body or in the path.',
  })
  @ApiResponse(ONE)
  patch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfRedemption }) input: PatchMfRedemption,
  ): Promise<MfRedemptionDto> {
    return this.change.execute(redemptionsOf(caller), caller, { patches: [input], prefix: 'alone' }, first);
  }

  @Patch('batch')
  @ApiOperation({
    summary: 'Record consents or confirm, up to 10 redemptions of one account, all or none',
    description: 'If one is refused, none is changed, and the error contains its position in the list.',
  })
  @ApiResponse(LIST)
  patchBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfRedemptions }) input: { mf_redemptions: PatchMfRedemption[] },
  ): Promise<MfRedemptionListDto> {
    return this.change.execute(
      redemptionsOf(caller),
      caller,
      { patches: input.mf_redemptions, prefix: 'mf_redemptions' },
      listOf,
    );
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Record the consent of a pending redemption, confirm it, or both',
    description:
      'A confirmed redemption is submitted to the gateway. The id may be in the body or in the path.',
  })
  @ApiResponse(ONE)
  async patchOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: patchOneMfRedemption }) input: PatchOneMfRedemption,
  ): Promise<MfRedemptionDto> {
    const { id: own } = await this.find.one(redemptionsOf(caller), caller.tenant, pathId('redemption', id));
    return this.change.execute(
      redemptionsOf(caller),
      caller,
      { patches: [atPath(input, own)], prefix: 'alone' },
      first,
    );
  }

  @Get()
  @ApiOperation({
    summary: 'List redemptions, newest first',
    description:
      "All redemptions of the tenant, or those that match every given filter. `plan` returns a plan's installments.",
  })
  @ApiResponse(LIST)
  async list(
    @CallerOf() caller: Caller,
    @Query({ schema: listMfRedemptions }) query: ListMfRedemptions,
  ): Promise<MfRedemptionListDto> {
    return listOf(await this.find.list(redemptionsOf(caller), caller.tenant, query));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a redemption by its id or its old_id',
    description: "404 when it is unknown or another tenant's.",
  })
  @ApiResponse(ONE)
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfRedemptionDto> {
    return this.find.one(redemptionsOf(caller), caller.tenant, pathId('redemption', id));
  }

  @Post(':id/cancel')
  @ApiOperation({
    summary: 'Cancel a pending redemption',
    description: '409 when the redemption is no longer pending.',
  })
  @ApiResponse(ONE)
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfRedemptionDto> {
    return this.cancel.execute(redemptionsOf(caller), caller, pathId('redemption', id));
  }
}

type MfRedemptionListDto = ReturnType<typeof listOf<MfRedemptionDto>>;
