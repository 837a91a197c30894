import { askPayments, type DebitStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { debitStandings } from './standing.repository.ts';

/** The states of debits, for the reconciliation of other services. */
@ApiExcludeController()
@Internal()
@Controller('internal/reconciliation')
export class ReconciliationController {
  constructor(private readonly db: Database) {}

  @Post('debits')
  @HttpCode(200)
  async debits(
    @Body({ schema: askPayments }) { payment_ids }: z.output<typeof askPayments>,
  ): Promise<{ debits: DebitStanding[] }> {
    return { debits: await debitStandings(this.db, payment_ids) };
  }
}
