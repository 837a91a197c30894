import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { nextBlock } from './payment-id.repository.ts';

/** Payment ids, drawn from the sequence by the block. Unique over all replicas; their order says nothing. */
@Injectable()
export class PaymentIds {
  private next = 0;
  private end = 0;
  private refill: Promise<void> | null = null;

  constructor(private readonly database: Database) {}

  async draw(): Promise<number> {
    while (this.next === this.end) await (this.refill ??= this.fetchBlock());
    return this.next++;
  }

  /**
   * The id for a creation. With an Idempotency-Key it is the key's, so that a retry of a request that died goes on with the
   * same one (`isNew` false). Call it outside any transaction.
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
