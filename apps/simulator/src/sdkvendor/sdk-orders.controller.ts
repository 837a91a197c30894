import { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { SdkvendorOperation } from '../fault/fault.interceptor.ts';
import { store } from '../store/simulator.tables.ts';
import { CreateOrder } from './create-order.ts';
import { collection, NEWEST, orderListQuery, pageOf, type OrderListQuery } from './listing.ts';
import { notesRequest, type NotesRequest } from './notes.ts';
import { existing } from './razorpay-refusal.ts';
import { statedObject } from './sdk-order.ts';
import { toPaymentObject } from './sdk-payment.ts';
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
  @SdkvendorOperation('order')
  create(@Body({ schema: sdkvendorWire.orderRequest }) request: sdkvendorWire.OrderRequest) {
    return this.createOrder.execute(request);
  }

  @Get()
  @SdkvendorOperation('order_list')
  async list(@Query({ schema: orderListQuery }) query: OrderListQuery) {
    const receipt = query.receipt === undefined ? {} : { receipt: query.receipt };
    const rows = await store.sdkOrders.list(this.db, ...pageOf(query, receipt));
    return collection(rows.map(statedObject));
  }

  @Get(':id')
  @SdkvendorOperation('order_status')
  async read(@Param('id') id: string) {
    return statedObject(existing(await store.sdkOrders.find(this.db, { id })));
  }

  @Patch(':id')
  @SdkvendorOperation('order')
  async edit(@Param('id') id: string, @Body({ schema: notesRequest }) { notes }: NotesRequest) {
    await store.sdkOrders.update(this.db, { id }, { notes });
    return this.read(id);
  }

  @Get(':id/payments')
  @SdkvendorOperation('order_payments')
  async payments(@Param('id') id: string) {
    const order = existing(await store.sdkOrders.find(this.db, { id }));
    const attempts = await store.attempts.list(this.db, { order_id: order.id }, NEWEST);
    return collection(attempts.map((row) => toPaymentObject(row, row.refunded)));
  }
}
