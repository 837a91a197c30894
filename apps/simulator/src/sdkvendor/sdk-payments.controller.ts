import { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Headers, Param, Patch, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { SdkvendorOperation } from '../fault/fault.interceptor.ts';
import { isKnownVpa } from '../provider-payment/collect.ts';
import { store } from '../store/simulator.tables.ts';
import { collection, listQuery, pageOf, type ListQuery } from './listing.ts';
import { MakeRefund } from './make-refund.ts';
import { notesRequest, type NotesRequest } from './notes.ts';
import { existing, RazorpayRefusal } from './razorpay-refusal.ts';
import { toPaymentObject } from './sdk-payment.ts';
import { toRefundObject } from './sdk-refund.ts';
import { SdkvendorRoutes } from './sdkvendor-route.decorator.ts';
import { StartAttempt } from './start-attempt.ts';
import { StartRecurring } from './start-recurring.ts';

const vpaRequest = z.object({ vpa: z.string() });

/** Razorpay's payments, which are attempts to pay an order, and their refunds (razorpay.com/docs/api/payments). */
@Controller('sdkvendor/v1/payments')
@SdkvendorRoutes()
export class SdkPaymentsController {
  constructor(
    private readonly db: Database,
    private readonly startAttempt: StartAttempt,
    private readonly makeRefund: MakeRefund,
    private readonly startRecurring: StartRecurring,
  ) {}

  @Post('create/upi')
  @SdkvendorOperation('payment')
  upi(@Body({ schema: sdkvendorWire.upiRequest }) request: sdkvendorWire.UpiRequest) {
    return this.startAttempt.upi(request);
  }

  @Post('create/json')
  @SdkvendorOperation('payment')
  redirect(@Body({ schema: sdkvendorWire.redirectRequest }) request: sdkvendorWire.RedirectRequest) {
    return this.startAttempt.redirect(request);
  }

  @Post('create/recurring')
  @SdkvendorOperation('recurring')
  recurring(@Body({ schema: sdkvendorWire.recurringRequest }) request: sdkvendorWire.RecurringRequest) {
    return this.startRecurring.execute(request);
  }

  @Post('validate/vpa')
  @SdkvendorOperation('payment_status')
  validate(@Body({ schema: vpaRequest }) { vpa }: z.output<typeof vpaRequest>) {
    if (!isKnownVpa(vpa)) throw new RazorpayRefusal('invalid_vpa', 'Invalid VPA');
    return { vpa, success: true, customer_name: 'Sandbox Investor' };
  }

  @Get()
  @SdkvendorOperation('payment_list')
  async list(@Query({ schema: listQuery }) query: ListQuery) {
    const rows = await store.attempts.list(this.db, ...pageOf(query, {}));
    return collection(rows.map((row) => toPaymentObject(row, row.refunded)));
  }

  @Get(':id')
  @SdkvendorOperation('payment_status')
  async read(@Param('id') id: string) {
    const row = existing(await store.attempts.find(this.db, { id }));
    return toPaymentObject(row, row.refunded);
  }

  @Patch(':id')
  @SdkvendorOperation('payment')
  async edit(@Param('id') id: string, @Body({ schema: notesRequest }) { notes }: NotesRequest) {
    await store.attempts.update(this.db, { id }, { notes });
    return this.read(id);
  }

  /** Every payment in the sandbox is captured automatically, so there is never one to capture. */
  @Post(':id/capture')
  @SdkvendorOperation('payment')
  async capture(@Param('id') id: string) {
    const { status } = await this.read(id);
    const isCaptured = status === 'captured' || status === 'refunded';
    const why = isCaptured ? 'has already been captured' : 'has not been authorised';
    throw new RazorpayRefusal('input_validation_failed', `This payment ${why}`);
  }

  @Post(':id/refund')
  @SdkvendorOperation('refund')
  refund(
    @Param('id') id: string,
    @Headers('x-refund-idempotency') key: string | undefined,
    @Body({ schema: sdkvendorWire.refundRequest }) request: sdkvendorWire.RefundRequest,
  ) {
    return this.makeRefund.execute(id, request, key ?? null);
  }

  @Get(':id/refunds')
  @SdkvendorOperation('refund_list')
  async refunds(@Param('id') id: string, @Query({ schema: listQuery }) query: ListQuery) {
    const { id: payment_id } = existing(await store.attempts.find(this.db, { id }));
    const rows = await store.sdkRefunds.list(this.db, ...pageOf(query, { payment_id }));
    return collection(rows.map(toRefundObject));
  }

  @Get(':id/refunds/:refund')
  @SdkvendorOperation('refund_status')
  async refundOf(@Param('id') id: string, @Param('refund') refund: string) {
    return toRefundObject(existing(await store.sdkRefunds.find(this.db, { id: refund, payment_id: id })));
  }
}
