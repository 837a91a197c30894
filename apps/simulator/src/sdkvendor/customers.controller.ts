import { sdkvendorWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { SdkvendorOperation } from '../fault/fault.interceptor.ts';
import { mandateOfToken, mandatesOfCustomer } from '../mandate/mandate.repository.ts';
import { EndToken } from './end-token.ts';
import { collection } from './listing.ts';
import { razorpayId } from './razorpay-id.ts';
import { noSuchId, RazorpayRefusal } from './razorpay-refusal.ts';
import { customerOf, findCustomer, insertCustomer, toCustomerObject } from './sdk-customer.repository.ts';
import type { SdkCustomerRow } from './sdk-customer.repository.ts';
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
  @HttpCode(200)
  @SdkvendorOperation('customer')
  create(@Body({ schema: sdkvendorWire.customerRequest }) request: sdkvendorWire.CustomerRequest) {
    return this.db.transaction(async (tx) => {
      const row = rowOf(request, tx.now);
      if (await insertCustomer(tx, row)) return toCustomerObject(row);
      if (String(request.fail_existing ?? '1') === '1')
        throw new RazorpayRefusal('input_validation_failed', 'Customer already exists for the merchant');
      return toCustomerObject((await customerOf(tx, row)) ?? row);
    });
  }

  @Get(':id')
  @SdkvendorOperation('customer')
  async read(@Param('id') id: string) {
    const row = await findCustomer(this.db, id);
    if (!row) throw noSuchId();
    return toCustomerObject(row);
  }

  @Get(':id/tokens')
  @SdkvendorOperation('token_status')
  async tokens(@Param('id') id: string) {
    if (!(await findCustomer(this.db, id))) throw noSuchId();
    const now = await this.db.now();
    return collection((await mandatesOfCustomer(this.db, id)).map((row) => toTokenObject(row, now)));
  }

  @Get(':id/tokens/:token')
  @SdkvendorOperation('token_status')
  async token(@Param('id') id: string, @Param('token') token: string) {
    const row = await mandateOfToken(this.db, token);
    if (row?.customer_id !== id || row.deleted) throw noSuchId();
    return toTokenObject(row, await this.db.now());
  }

  @Put(':id/tokens/:token/cancel')
  @HttpCode(200)
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

function rowOf(request: sdkvendorWire.CustomerRequest, created_at: Date): SdkCustomerRow {
  const contact = request.contact == null ? null : String(request.contact);
  const { name = null, email = null } = request;
  return { id: razorpayId('cust'), name, email, contact, notes: request.notes ?? [], created_at };
}
