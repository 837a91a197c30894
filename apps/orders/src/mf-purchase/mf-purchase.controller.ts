import {
  createMfPurchase,
  createMfPurchases,
  listMfPurchases,
  mfPurchase,
  mfPurchaseList,
  patchMfPurchase,
  patchMfPurchases,
  patchOneMfPurchase,
  type CreateMfPurchase,
  type ListMfPurchases,
  type MfPurchaseDto,
  type PatchMfPurchase,
  type PatchOneMfPurchase,
} from '@fundrail/contracts';
import { atPath, CallerOf, first, listOf, pathId, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CancelOrder } from '../order/cancel-order.ts';
import { ChangeOrders } from '../order/change-orders.ts';
import { CreateOrders } from '../order/create-orders.ts';
import { FindOrders } from '../order/find-orders.ts';
import { purchasesOf } from '../order/order-kind.ts';
import { RetryPurchase } from './retry-purchase.ts';

const ONE = { status: 200, description: 'the purchase', standardSchema: mfPurchase };
const LIST = { status: 200, description: 'the purchases', standardSchema: mfPurchaseList };

/** Purchase orders: docs/specification/orders.md. */
@ApiTags('MF purchases')
@Controller('v2/mf_purchases')
export class MfPurchaseController {
  constructor(
    private readonly create: CreateOrders,
    private readonly change: ChangeOrders,
    private readonly cancel: CancelOrder,
    private readonly find: FindOrders,
    private readonly retry: RetryPurchase,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a purchase order; the gateway then reviews it',
    description:
      'The purchase starts as `under_review`. It becomes `pending` with the event mf_purchase.review_completed, or `failed`. A `source_ref_id` must be unique.',
  })
  @ApiResponse(ONE)
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfPurchase }) input: CreateMfPurchase,
  ): Promise<MfPurchaseDto> {
    return this.create.execute(purchasesOf(caller), caller, { inputs: [input], prefix: 'alone' }, first);
  }

  @Post('batch')
  @ApiOperation({
    summary: 'Create up to 10 purchase orders of one account, all or none',
    description: 'If one is refused, none is created, and the error contains its position in the list.',
  })
  @ApiResponse(LIST)
  createBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfPurchases }) input: { mf_purchases: CreateMfPurchase[] },
  ): Promise<MfPurchaseListDto> {
    return this.create.execute(
      purchasesOf(caller),
      caller,
      { inputs: input.mf_purchases, prefix: 'mf_purchases' },
      listOf,
    );
  }

  @Patch()
  @ApiOperation({
    summary: 'Record the consent of a pending purchase, or confirm it',
    description:
      'Send the consent first. Once the purchase has a payment, send `state: confirmed`; the order is then submitted to the gateway. The id may be in the body or in the path.',
  })
  @ApiResponse(ONE)
  patch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfPurchase }) input: PatchMfPurchase,
  ): Promise<MfPurchaseDto> {
    return this.change.execute(purchasesOf(caller), caller, { patches: [input], prefix: 'alone' }, first);
  }

  @Patch('batch')
  @ApiOperation({
    summary: 'Record consents or confirm, up to 10 purchases of one account, all or none',
    description: 'If one is refused, none is changed, and the error contains its position in the list.',
  })
  @ApiResponse(LIST)
  patchBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfPurchases }) input: { mf_purchases: PatchMfPurchase[] },
  ): Promise<MfPurchaseListDto> {
    return this.change.execute(
      purchasesOf(caller),
      caller,
      { patches: input.mf_purchases, prefix: 'mf_purchases' },
      listOf,
    );
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Record the consent of a pending purchase, or confirm it',
    description:
      'Send the consent first. Once the purchase has a payment, send `state: confirmed`; the order is then submitted to the gateway. The id may be in the body or in the path.',
  })
  @ApiResponse(ONE)
  async patchOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: patchOneMfPurchase }) input: PatchOneMfPurchase,
  ): Promise<MfPurchaseDto> {
    const { id: own } = await this.find.one(purchasesOf(caller), caller.tenant, pathId('purchase', id));
    return this.change.execute(
      purchasesOf(caller),
      caller,
      { patches: [atPath(input, own)], prefix: 'alone' },
      first,
    );
  }

  @Get()
  @ApiOperation({
    summary: 'List purchases, newest first',
    description: 'All purchases of the tenant, or those that match every given filter.',
  })
  @ApiResponse(LIST)
  async list(
    @CallerOf() caller: Caller,
    @Query({ schema: listMfPurchases }) query: ListMfPurchases,
  ): Promise<MfPurchaseListDto> {
    return listOf(await this.find.list(purchasesOf(caller), caller.tenant, query));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a purchase by its id or its old_id',
    description: "404 when it is unknown or another tenant's.",
  })
  @ApiResponse(ONE)
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfPurchaseDto> {
    return this.find.one(purchasesOf(caller), caller.tenant, pathId('purchase', id));
  }

  @Post(':id/cancel')
  @ApiOperation({
    summary: 'Cancel a pending purchase that has no live payment',
    description: '409 when the purchase is no longer pending or has a live payment.',
  })
  @ApiResponse(ONE)
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfPurchaseDto> {
    return this.cancel.execute(purchasesOf(caller), caller, pathId('purchase', id));
  }

  @Post(':id/retry')
  @ApiOperation({
    summary: 'Create a failed purchase again',
    description:
      'Returns a new purchase with the same fields, except `source_ref_id`, `scheduled_on`, `user_ip` and the consent. The failed one gets its id as `retried_as`, and stays as it is. 409 when the purchase is not `failed`, when it was retried before, or when a plan made it.',
  })
  @ApiResponse(ONE)
  retryOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfPurchaseDto> {
    return this.retry.execute(purchasesOf(caller), caller, pathId('purchase', id));
  }
}

type MfPurchaseListDto = ReturnType<typeof listOf<MfPurchaseDto>>;
