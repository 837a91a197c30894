import { newId, patternsFor } from '@fundrail/contracts';
import { Clock, type Tx } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { newDelivery } from '../delivery/delivery.ts';
import { insertDeliveries } from '../delivery/delivery.repository.ts';
import { listeningWebhooks } from '../notification-webhook/notification-webhook.repository.ts';
import { newEventRow, type PublicEvent } from './event.ts';
import { insertEvent } from './event.repository.ts';

/** Keeps an event and makes one delivery for each endpoint of its tenant that listens. Runs in the transaction of the inbox. */
@Injectable()
export class StoreEvent {
  constructor(private readonly clock: Clock) {}

  async execute(tx: Tx, event: PublicEvent): Promise<void> {
    const row = newEventRow(event, this.clock.now());
    await insertEvent(tx, row);
    const webhooks = await listeningWebhooks(tx, event.tenant, patternsFor(event.type));
    const deliveries = webhooks.map((webhook) => newDelivery(row, webhook, newId('webhookDelivery'), tx.now));
    await insertDeliveries(tx, deliveries);
    if (deliveries.length > 0) tx.signal('due');
  }
}
