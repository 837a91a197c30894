import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { SdkvendorOperation } from '../fault/fault.interceptor.ts';
import { collection, listQuery, type ListQuery } from './listing.ts';
import { notesRequest, type NotesRequest } from './notes.ts';
import { noSuchId } from './razorpay-refusal.ts';
import { toRefundObject } from './sdk-refund.ts';
import { findRefund, listRefunds, noteRefund } from './sdk-refund.repository.ts';
import { SdkvendorRoutes } from './sdkvendor-route.decorator.ts';

/** Razorpay's refunds (razorpay.com/docs/api/refunds). */
@Controller('sdkvendor/v1/refunds')
@SdkvendorRoutes()
export class SdkRefundsController {
  constructor(private readonly db: Database) {}

  @Get()
  @SdkvendorOperation('refund_list')
  async list(@Query({ schema: listQuery }) query: ListQuery) {
    return collection(await listRefunds(this.db, query, null));
  }

  @Get(':id')
  @SdkvendorOperation('refund_status')
  async read(@Param('id') id: string) {
    const row = await findRefund(this.db, id);
    if (!row) throw noSuchId();
    return toRefundObject(row);
  }

  @Patch(':id')
  @SdkvendorOperation('refund')
  async edit(@Param('id') id: string, @Body({ schema: notesRequest }) { notes }: NotesRequest) {
    await this.db.transaction((tx) => noteRefund(tx, id, notes));
    return this.read(id);
  }
}
