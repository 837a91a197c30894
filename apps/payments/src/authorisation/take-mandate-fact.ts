import { EVENTS, newId, stringifyJson } from '@fundrail/contracts';
import type { MandateFact } from '@fundrail/contracts';
import { appendEvents } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { Mandates } from '../outside/mandates-client.ts';
import { takeProviderEvent } from '../payment/payment.repository.ts';
import { countMandateFact, isMandateToken } from './mandate-token.repository.ts';

/**
 * A provider's notification about a mandate that came to payments (contract §3 "callbacks"): stored once, and passed on as
 * `mandate_fact.received`. What it means, mandates decides, and has heard of it before the provider is answered: from then on it
 * permits no call (contract §4). The event is for the case that its answer is lost.
 */
@Injectable()
export class TakeMandateFact {
  constructor(
    private readonly database: Database,
    private readonly mandates: Mandates,
    private readonly log: Log,
  ) {}

  /** Throws 503 when mandates does not answer: the provider tells it again then. */
  async execute(fact: MandateFact): Promise<void> {
    const { provider_name, mandate_token, event_id } = fact;
    const isOurs = await this.database.transaction(async (tx) => {
      if (!(await takeProviderEvent(tx, provider_name, { event_id, reference: mandate_token })))
        return isMandateToken(tx, provider_name, mandate_token);
      const known = await countMandateFact(tx, provider_name, mandate_token);
      if (!known) return false;
      await appendEvents(tx, [
        {
          id: newId('event'),
          type: 'mandate_fact.received',
          version: EVENTS['mandate_fact.received'].version,
          tenant: known.tenant,
          aggregate_id: mandate_token,
          sequence: known.event_seq,
          occurred_at: tx.now,
          data: stringifyJson({ object: fact, previous_attributes: null }),
          traceparent: null,
        },
      ]);
      return true;
    });
    if (isOurs) await this.mandates.tell(fact);
    else this.log.warn('a callback is about no mandate of ours', { provider_name, event_id });
  }
}
