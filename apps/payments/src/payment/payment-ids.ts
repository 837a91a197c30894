import { Database } from '@fundrail/service-kit/db';
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
