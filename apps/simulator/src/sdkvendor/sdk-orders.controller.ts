import { sdkvendorWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { SdkvendorOperation } from '../fault/fault.interceptor.ts';
import { CreateOrder } from './create-order.ts';
import { collection, orderListQuery, type OrderListQuery } from './listing.ts';
import { notesRequest, type NotesRequest } from './notes.ts';
import { noSuchId } from './razorpay-refusal.ts';
import { findOrder, listOrders, noteOrder, statedObject } from './sdk-order.repository.ts';
import { toPaymentObject } from './sdk-payment.ts';
import { attemptsUnder } from './sdk-payment.repository.ts';
import { SdkvendorRoutes } from './sdkvendor-route.decorator.ts';

/** Razorpay's orders (razorpay.com/docs/api/orders). */
@Controller('sdkvendor/v1/orders')
@SdkvendorRoutes()
export class SdkOrdersController {
  constructor(
    private readonly db: Database,
    private readonly createOrder: CreateOrder,
  ) {}

  @Post()
  @HttpCode(200)
  @SdkvendorOperation('order')
  create(@Body({ schema: sdkvendorWire.orderRequest }) request: sdkvendorWire.OrderRequest) {
    return this.createOrder.execute(request);
  }

  @Get()
  @SdkvendorOperation('order_list')
  async list(@Query({ schema: orderListQuery }) query: OrderListQuery) {
    return collection(await listOrders(this.db, query));
  }

  @Get(':id')
  @SdkvendorOperation('order_status')
  async read(@Param('id') id: string) {
    const row = await findOrder(this.db, id);
    if (!row) throw noSuchId();
    return statedObject(row);
  }

  @Patch(':id')
  @SdkvendorOperation('order')
  async edit(@Param('id') id: string, @Body({ schema: notesRequest }) { notes }: NotesRequest) {
    await this.db.transaction((tx) => noteOrder(tx, id, notes));
    return this.read(id);
  }

  @Get(':id/payments')
  @SdkvendorOperation('order_payments')
  async payments(@Param('id') id: string) {
    if (!(await findOrder(this.db, id))) throw noSuchId();
    const attempts = await attemptsUnder(this.db, id);
    return collection(attempts.map((row) => toPaymentObject(row, row.refunded)));
  }
}
