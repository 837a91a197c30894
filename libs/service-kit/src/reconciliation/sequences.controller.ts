import { askSequences } from '@fundrail/contracts';
import type { Statement } from '@fundrail/persistence';
import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { Database } from '../db/database.ts';
import { Internal } from '../http/auth/route-policy.ts';

/** Injection token of the `sequences` of the service's definition. */
export const SEQUENCES = Symbol('kit:sequences');

/** The last event sequences of a service's objects, for the reconciliation of webhooks. */
@ApiExcludeController()
@Internal()
@Controller('internal/reconciliation/sequences')
export class SequencesController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(SEQUENCES) private readonly statement: Statement,
  ) {}

  @Post()
  async sequences(
    @Body({ schema: askSequences }) { ids }: z.output<typeof askSequences>,
  ): Promise<{ objects: { id: string; sequence: number }[] }> {
    return { objects: await this.database.query(this.statement, [ids]) };
  }
}
