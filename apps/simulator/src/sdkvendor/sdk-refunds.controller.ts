import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { SdkvendorOperation } from '../fault/fault.interceptor.ts';
import { store } from '../store/simulator.tables.ts';
import { collection, listQuery, pageOf, type ListQuery } from './listing.ts';
import { notesRequest, type NotesRequest } from './notes.ts';
import { existing } from './razorpay-refusal.ts';
import { toRefundObject } from './sdk-refund.ts';
import { SdkvendorRoutes } from './sdkvendor-route.decorator.ts';

/** Razorpay's refunds (razorpay.com/docs/api/refunds). */
@Controller('sdkvendor/v1/refunds')
@SdkvendorRoutes()
export class SdkRefundsController {
  constructor(private readonly db: Database) {}

  @Get()
  @SdkvendorOperation('refund_list')
  async list(@Query({ schema: listQuery }) query: ListQuery) {
    const rows = await store.sdkRefunds.list(this.db, ...pageOf(query, {}));
    return collection(rows.map(toRefundObject));
  }

  @Get(':id')
  @SdkvendorOperation('refund_status')
  async read(@Param('id') id: string) {
    return toRefundObject(existing(await store.sdkRefunds.find(this.db, { id })));
  }

  @Patch(':id')
  @SdkvendorOperation('refund')
  async edit(@Param('id') id: string, @Body({ schema: notesRequest }) { notes }: NotesRequest) {
    await store.sdkRefunds.update(this.db, { id }, { notes });
    return this.read(id);
  }
}
