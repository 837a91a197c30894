import { askPayments, askSequences, type DebitStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { debitStandings, mandateSequences } from './standing.repository.ts';

/** The states of debits and mandates, for the reconciliation of other services. */
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

  @Post('sequences')
  @HttpCode(200)
  async sequences(
    @Body({ schema: askSequences }) { ids }: z.output<typeof askSequences>,
  ): Promise<{ objects: { id: string; sequence: number }[] }> {
    return { objects: await mandateSequences(this.db, ids) };
  }
}
