import type { Tx } from '@fundrail/persistence';
import { Clock } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { DELIVERIES_DUE } from '../delivery/delivery.repository.ts';
import { newEventRow, type PublicEvent } from './event.ts';
import { insertAndDeliverEvents } from './event.repository.ts';

/** Stores events and creates a delivery for each subscribed endpoint of their tenants. Runs in the transaction of the inbox. */
@Injectable()
export class StoreEvent {
  constructor(private readonly clock: Clock) {}

  async execute(tx: Tx, events: readonly PublicEvent[]): Promise<void> {
    const storedAt = this.clock.now();
    const rows = events.map((event) => newEventRow(event, storedAt));
    if ((await insertAndDeliverEvents(tx, rows, tx.now)) > 0) tx.signal(DELIVERIES_DUE);
  }
}
