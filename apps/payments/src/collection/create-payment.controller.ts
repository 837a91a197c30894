import { createdPayment, createPayment } from '@fundrail/contracts';
import type { CreatedPaymentDto, CreatePaymentRequest } from '@fundrail/contracts';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CreatePayment } from './create-payment.ts';

/** The creation of payments, docs/specification/payments.md. */
@ApiTags('Payments')
@Controller('api/pg/payments')
export class CreatePaymentController {
  constructor(private readonly create: CreatePayment) {}

  @Post('netbanking')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'createPayment',
    summary: 'Create a payment for one or more purchase orders',
    description:
      "For orders that are pending with consent recorded. UPI: send `method: UPI` with `upi` and the bank account; payment.updated contains the URI once all orders are confirmed and submitted. Without `upi`, the response contains the hosted page's token_url, and SDK options if they are enabled. An order can have one live payment: 409 PAYMENT_ALREADY_EXISTS.",
  })
  @ApiResponse({
    status: 200,
    description: 'The payment; its URI is available once all its orders are submitted',
    standardSchema: createdPayment,
  })
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createPayment }) request: CreatePaymentRequest,
  ): Promise<CreatedPaymentDto> {
    return this.create.execute(caller, request);
  }
}
