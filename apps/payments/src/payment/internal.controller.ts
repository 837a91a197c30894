import { found, resolveRequest, type PaymentFacts, type resolveAnswer } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { readPaymentId } from './payment-ids.ts';
import { factsOfPayment } from './payment.repository.ts';
import { ResolvePayments } from './resolve-payments.ts';

/** For other services only; the edge does not route it. */
@ApiExcludeController()
@Internal()
@Controller('internal/payments')
export class InternalController {
  constructor(
    private readonly resolve: ResolvePayments,
    private readonly db: Database,
  ) {}

  /** Lets the sandbox distinguish a payment whose URI is not issued yet from one that does not exist. */
  @Get(':id')
  async facts(@Param('id') id: string): Promise<PaymentFacts> {
    return found(await factsOfPayment(this.db, readPaymentId(id)));
  }

  @Post('resolve')
  @HttpCode(200)
  resolveAll(
    @Body({ schema: resolveRequest }) request: z.output<typeof resolveRequest>,
  ): Promise<z.output<typeof resolveAnswer>> {
    return this.resolve.execute(request.payment_ids);
  }
}
