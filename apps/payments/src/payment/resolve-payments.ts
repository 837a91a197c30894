import type { resolveAnswer } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { holdersOf, voidUnlessMade } from './payment-id.repository.ts';
import { holdsNothing } from './payment.ts';

/**
 * Tells orders whose claims to keep and whose to free; an id without a payment is void before the answer (architecture §11).
 * A dead payment is answered as void too: its claim packet may have come after the release, and nobody else would free it.
 */
@Injectable()
export class ResolvePayments {
  constructor(private readonly database: Database) {}

  async execute(ids: readonly number[]): Promise<z.output<typeof resolveAnswer>> {
    await voidUnlessMade(this.database, ids);
    // A statement of its own: it sees the payment of a creation that the first one waited for.
    const holders = await holdersOf(this.database, ids);
    return {
      results: holders.map((holder) => ({
        payment_id: holder.id,
        kind: holdsNothing(holder) ? 'void' : 'payment',
      })),
    };
  }
}
