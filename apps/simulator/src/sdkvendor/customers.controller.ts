import { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { SdkvendorOperation } from '../fault/fault.interceptor.ts';
import { store, type StoreRow } from '../store/simulator.tables.ts';
import { EndToken } from './end-token.ts';
import { collection, inSeconds, NEWEST } from './listing.ts';
import { razorpayId } from './razorpay-id.ts';
import { existing, RazorpayRefusal } from './razorpay-refusal.ts';
import { toTokenObject } from './sdk-token.ts';
import { SdkvendorRoutes } from './sdkvendor-route.decorator.ts';

/** Razorpay's customers and their tokens, which are mandates (razorpay.com/docs/api/customers, …/recurring-payments). */
@Controller('sdkvendor/v1/customers')
@SdkvendorRoutes()
export class CustomersController {
  constructor(
    private readonly db: Database,
    private readonly endToken: EndToken,
  ) {}

  @Post()
  @SdkvendorOperation('customer')
  create(@Body({ schema: sdkvendorWire.customerRequest }) request: sdkvendorWire.CustomerRequest) {
    return this.db.transaction(async (tx) => {
      const row = rowOf(request, tx.now);
      if (await store.customers.insertOnce(tx, row)) return toCustomerObject(row);
      if (String(request.fail_existing ?? '1') === '1')
        throw new RazorpayRefusal('input_validation_failed', 'Customer already exists for the merchant');
      const { email, contact } = row;
      return toCustomerObject((await store.customers.find(tx, { email, contact })) ?? row);
    });
  }

  @Get(':id')
  @SdkvendorOperation('customer')
  async read(@Param('id') id: string) {
    return toCustomerObject(existing(await store.customers.find(this.db, { id })));
  }

  @Get(':id/tokens')
  @SdkvendorOperation('token_status')
  async tokens(@Param('id') id: string) {
    const { id: customer_id } = existing(await store.customers.find(this.db, { id }));
    const now = await this.db.now();
    const live = { customer_id, token: { not: null }, deleted: false };
    const mandates = await store.mandates.list(this.db, live, NEWEST);
    return collection(mandates.map((row) => toTokenObject(row, now)));
  }

  @Get(':id/tokens/:token')
  @SdkvendorOperation('token_status')
  async token(@Param('id') id: string, @Param('token') token: string) {
    const row = existing(await store.mandates.find(this.db, { token, customer_id: id, deleted: false }));
    return toTokenObject(row, await this.db.now());
  }

  @Put(':id/tokens/:token/cancel')
  @SdkvendorOperation('token_cancel')
  cancel(@Param('id') id: string, @Param('token') token: string) {
    return this.endToken.cancel(id, token);
  }

  @Delete(':id/tokens/:token')
  @SdkvendorOperation('token_cancel')
  delete(@Param('id') id: string, @Param('token') token: string) {
    return this.endToken.delete(id, token);
  }
}

type CustomerRow = StoreRow<'customers'>;

function rowOf(request: sdkvendorWire.CustomerRequest, created_at: Date): CustomerRow {
  const contact = request.contact == null ? null : String(request.contact);
  const { name = null, email = null } = request;
  return { id: razorpayId('cust'), name, email, contact, notes: request.notes ?? [], created_at };
}

/** The customer as in Razorpay's responses. */
function toCustomerObject({ id, name, email, contact, notes, created_at }: CustomerRow) {
  const created = { gstin: null, notes, created_at: inSeconds(created_at) };
  return { id, entity: 'customer', name, email, contact, ...created };
}
