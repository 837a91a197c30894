import type { resolveAnswer } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { voidUnlessMade } from './payment-id.repository.ts';

/** Tells orders which ids became payments; every other one is void before the answer (architecture §11). */
@Injectable()
export class ResolvePayments {
  constructor(private readonly database: Database) {}

  async execute(ids: readonly number[]): Promise<z.output<typeof resolveAnswer>> {
    const rows = await voidUnlessMade(this.database, ids);
    return { results: rows.map(({ id, kind }) => ({ payment_id: id, kind })) };
  }
}
