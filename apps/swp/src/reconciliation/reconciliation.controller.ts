import { askSequences } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';

const sequences = sql(
  'redemption_plans.sequences',
  'SELECT plan_id AS id, event_seq AS sequence FROM plan_courses WHERE plan_id = ANY($1)',
);

/** The event sequences of plans, for the reconciliation of other services. */
@ApiExcludeController()
@Internal()
@Controller('internal/reconciliation')
export class ReconciliationController {
  constructor(private readonly db: Database) {}

  @Post('sequences')
  @HttpCode(200)
  async sequences(
    @Body({ schema: askSequences }) { ids }: z.output<typeof askSequences>,
  ): Promise<{ objects: { id: string; sequence: number }[] }> {
    return { objects: await this.db.query(sequences, [ids]) };
  }
}
