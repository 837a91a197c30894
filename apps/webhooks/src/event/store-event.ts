import { patternsFor } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Clock } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { newEventRow, type PublicEvent } from './event.ts';
import { insertAndDeliverEvent } from './event.repository.ts';

/** Stores an event and creates a delivery for each subscribed endpoint of its tenant. Runs in the transaction of the inbox. */
@Injectable()
export class StoreEvent {
  constructor(private readonly clock: Clock) {}

  async execute(tx: Tx, event: PublicEvent): Promise<void> {
    const row = newEventRow(event, this.clock.now());
    const deliveries = await insertAndDeliverEvent(tx, row, {
      patterns: patternsFor(event.type),
      now: tx.now,
    });
    if (deliveries > 0) tx.signal('due');
  }
}
