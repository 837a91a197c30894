import type { resolveAnswer } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { holdersOf, voidUnlessCreated } from './payment-id.repository.ts';
import { holdsNothing } from './payment.ts';

/**
 * Returns to orders which payments keep their claims and which release them. An id without a payment becomes void before the answer
 * (CLAIM-8). A dead payment is returned as void too: its claim may have arrived after its release, and nothing else would free it.
 */
@Injectable()
export class ResolvePayments {
  constructor(private readonly database: Database) {}

  async execute(ids: readonly number[]): Promise<z.output<typeof resolveAnswer>> {
    await voidUnlessCreated(this.database, ids);
    // A second statement, so that it sees the payment of a creation that the first one waited for.
    const holders = await holdersOf(this.database, ids);
    return {
      results: holders.map((holder) => ({
        payment_id: holder.id,
        kind: holdsNothing(holder) ? 'void' : 'payment',
      })),
    };
  }
}
