import {
  ApiError,
  createMfPurchase,
  createMfPurchases,
  eitherId,
  listMfPurchases,
  mfPurchase,
  mfPurchaseList,
  patchMfPurchase,
  patchMfPurchases,
  patchOneMfPurchase,
  ValidationFailed,
  type CreateMfPurchase,
  type EitherId,
  type ListMfPurchases,
  type MfPurchaseDto,
  type PatchMfPurchase,
  type PatchOneMfPurchase,
} from '@fundrail/contracts';
import { CallerOf, listOf, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CancelMfPurchase } from './cancel-mf-purchase.ts';
import { ChangeMfPurchases } from './change-mf-purchases.ts';
import { CreateMfPurchases } from './create-mf-purchases.ts';
import { FindMfPurchases } from './find-mf-purchases.ts';

const ONE = { status: 200, description: 'the purchase', standardSchema: mfPurchase };
const LIST = { status: 200, description: 'the purchases', standardSchema: mfPurchaseList };

/** Purchase orders: contract §2, §10 "Orders". */
@ApiTags('MF purchases')
@Controller('v2/mf_purchases')
export class MfPurchaseController {
  constructor(
    private readonly create: CreateMfPurchases,
    private readonly change: ChangeMfPurchases,
    private readonly cancel: CancelMfPurchase,
    private readonly find: FindMfPurchases,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Take a purchase order; the gateway then reviews it' })
  @ApiResponse(ONE)
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfPurchase }) input: CreateMfPurchase,
  ): Promise<MfPurchaseDto> {
    return this.create.execute(caller, [input], 'alone', first);
  }

  @Post('batch')
  @ApiOperation({ summary: 'Take up to 10 purchase orders of one account, all or none' })
  @ApiResponse(LIST)
  createBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: createMfPurchases }) input: { mf_purchases: CreateMfPurchase[] },
  ): Promise<MfPurchaseListDto> {
    return this.create.execute(caller, input.mf_purchases, 'batch', listOf);
  }

  @Patch()
  @ApiOperation({ summary: 'Record the consent of a pending purchase, or confirm it' })
  @ApiResponse(ONE)
  patch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfPurchase }) input: PatchMfPurchase,
  ): Promise<MfPurchaseDto> {
    return this.change.execute(caller, [input], 'alone', first);
  }

  @Patch('batch')
  @ApiOperation({ summary: 'Record consents or confirm, up to 10 purchases of one account, all or none' })
  @ApiResponse(LIST)
  patchBatch(
    @CallerOf() caller: Caller,
    @Body({ schema: patchMfPurchases }) input: { mf_purchases: PatchMfPurchase[] },
  ): Promise<MfPurchaseListDto> {
    return this.change.execute(caller, input.mf_purchases, 'batch', listOf);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Record the consent of a pending purchase, or confirm it' })
  @ApiResponse(ONE)
  async patchOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: patchOneMfPurchase }) input: PatchOneMfPurchase,
  ): Promise<MfPurchaseDto> {
    const purchase = await this.find.one(caller.tenant, pathId(id));
    if (input.id !== undefined && input.id !== purchase.id)
      throw new ValidationFailed([{ field: 'id', message: "must be the path's" }]);
    return this.change.execute(caller, [{ ...input, id: purchase.id }], 'alone', first);
  }

  @Get()
  @ApiOperation({ summary: 'List purchases, newest first' })
  @ApiResponse(LIST)
  async list(
    @CallerOf() caller: Caller,
    @Query({ schema: listMfPurchases }) query: ListMfPurchases,
  ): Promise<MfPurchaseListDto> {
    return listOf(await this.find.list(caller.tenant, query));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Fetch a purchase by its id or its old_id' })
  @ApiResponse(ONE)
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfPurchaseDto> {
    return this.find.one(caller.tenant, pathId(id));
  }

  @Post(':id/cancel')
  @ApiOperation({ summary: 'Cancel a pending purchase that has no live payment' })
  @ApiResponse(ONE)
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MfPurchaseDto> {
    return this.cancel.execute(caller, pathId(id));
  }
}

type MfPurchaseListDto = ReturnType<typeof listOf<MfPurchaseDto>>;

function first(orders: MfPurchaseDto[]): MfPurchaseDto {
  const [order] = orders;
  if (!order) throw new Error('a request about one order came to none');
  return order;
}

/** Reads a path's id. Throws `NOT_FOUND`: what is no id of ours is nobody's. */
function pathId(text: string): EitherId {
  const id = eitherId('purchase', text);
  if (!id) throw new ApiError('NOT_FOUND');
  return id;
}
