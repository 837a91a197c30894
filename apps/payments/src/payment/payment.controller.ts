import {
  ApiError,
  createdPayment,
  createPayment,
  fetchedPayment,
  payment,
  paymentFilters,
  refundPayment,
} from '@fundrail/contracts';
import type {
  CreatedPaymentDto,
  CreatePaymentRequest,
  FetchedPaymentDto,
  PaymentDto,
  RefundPaymentRequest,
} from '@fundrail/contracts';
import { CallerOf, pageQuery, pageSchema, RequireScope } from '@fundrail/service-kit/http';
import type { Caller, PageOf } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CancelPayment } from './cancel-payment.ts';
import { CreatePayment } from './create-payment.ts';
import { FindPayments } from './find-payments.ts';
import type { PaymentQuery } from './payment-list.repository.ts';
import { RefundPayment } from './refund-payment.ts';

/** Payments, contract §3. */
@ApiTags('Payments')
@Controller('api/pg/payments')
export class PaymentController {
  constructor(
    private readonly create: CreatePayment,
    private readonly find: FindPayments,
    private readonly cancel: CancelPayment,
    private readonly refund: RefundPayment,
  ) {}

  @Post('netbanking')
  @HttpCode(200)
  @ApiOperation({ summary: 'Create a payment for one or more purchase orders' })
  @ApiResponse({
    status: 200,
    description: 'The payment; the URI comes once all its orders are submitted',
    standardSchema: createdPayment,
  })
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createPayment }) request: CreatePaymentRequest,
  ): Promise<CreatedPaymentDto> {
    return this.create.execute(caller, request);
  }

  @Get()
  @ApiOperation({ summary: 'List payments, newest first' })
  @ApiResponse({
    status: 200,
    description: 'A page of payments',
    standardSchema: pageSchema('payments', payment),
  })
  list(
    @CallerOf() caller: Caller,
    @Query({ schema: pageQuery(paymentFilters) }) query: PaymentQuery,
  ): Promise<PageOf<'payments', PaymentDto>> {
    return this.find.page(caller.tenant, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Fetch a payment' })
  @ApiResponse({ status: 200, description: 'The payment', standardSchema: fetchedPayment })
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<FetchedPaymentDto> {
    return this.find.one(caller.tenant, paymentId(id));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel a pending payment' })
  @ApiResponse({
    status: 200,
    description: 'The payment, FAILED with user_cancelled',
    standardSchema: payment,
  })
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<PaymentDto> {
    return this.cancel.execute(caller, paymentId(id));
  }

  @Post(':id/refunds')
  @HttpCode(200)
  @RequireScope('admin')
  @ApiOperation({ summary: 'Refund a successful payment that is not yet transferred (operator)' })
  @ApiResponse({ status: 200, description: 'The payment with its refund', standardSchema: payment })
  refundOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: refundPayment }) request: RefundPaymentRequest,
  ): Promise<PaymentDto> {
    return this.refund.execute(caller, paymentId(id), request);
  }
}

/** Anything but a payment's id is nobody's (a 404). */
function paymentId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new ApiError('NOT_FOUND');
  return Number(text);
}
