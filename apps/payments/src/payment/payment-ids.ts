import { found, integerIn } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { Claims, type Holding } from './claims.ts';
import { nextBlock, voidUnlessCreated } from './payment-id.repository.ts';

/** Parses a payment's id in a path. Throws 404 for anything else. */
export function readPaymentId(text: string): number {
  return found(integerIn(text));
}

/** Draws payment ids in blocks from the sequence, and gives up those whose creation fails. They are unique over all replicas; their order has no meaning. */
@Injectable()
export class PaymentIds {
  private next = 0;
  private end = 0;
  private refill: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly claims: Claims,
    private readonly log: Log,
  ) {}

  async draw(): Promise<number> {
    while (this.next === this.end) await (this.refill ??= this.fetchBlock());
    return this.next++;
  }

  /**
   * The id for a creation. It belongs to the Idempotency-Key if there is one, so that a retry of a request that died continues with
   * the same id (`isNew` false). Call it outside any transaction.
   */
  async drawFor({ idempotency }: Caller): Promise<{ readonly id: number; readonly isNew: boolean }> {
    if (!idempotency) return { id: await this.draw(), isNew: true };
    let isNew = false;
    const id = await idempotency.reserve(async () => {
      isNew = true;
      return String(await this.draw());
    });
    return { id: Number(id), isNew };
  }

  /**
   * Gives up a creation: makes the id void, then, unless a payment was created first, releases what the id holds. Never rejects: if it
   * fails, the other services resolve the id later (CLAIM-8).
   */
  async giveUp(held: Holding): Promise<void> {
    const { tenant, id: payment_id } = held;
    try {
      const [answer] = await voidUnlessCreated(this.database, [payment_id]);
      await passFaultPoint('payments.voided');
      if (answer?.kind === 'void') await this.claims.releaseVoid(held);
    } catch (error) {
      const message = 'a given-up claim was not released; the sweep of the other service will release it';
      this.log.error(message, error, { tenant, payment_id });
    }
  }

  private async fetchBlock(): Promise<void> {
    try {
      const { first, count } = await nextBlock(this.database);
      this.next = first;
      this.end = first + count;
    } finally {
      this.refill = null;
    }
  }
}
