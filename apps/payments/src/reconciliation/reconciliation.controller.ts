import { askPayments, type PaymentStanding } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { ReadStandings } from './read-standings.ts';

/** The state of payments, for the reconciliation of other services. */
@ApiExcludeController()
@Internal()
@Controller('internal/reconciliation')
export class ReconciliationController {
  constructor(private readonly standings: ReadStandings) {}

  @Post('payments')
  @HttpCode(200)
  async payments(
    @Body({ schema: askPayments }) { payment_ids }: z.output<typeof askPayments>,
  ): Promise<{ payments: PaymentStanding[] }> {
    return { payments: await this.standings.execute(payment_ids) };
  }
}
