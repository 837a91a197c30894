import { EVENTS, newId, stringifyJson, type MandateFact } from '@fundrail/contracts';
import { appendEvents } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { Mandates } from '../../outside/mandates-client.ts';
import { takeProviderEvent } from '../../payment/payment.repository.ts';
import { countMandateFact, isMandateToken } from './mandate-token.repository.ts';

/**
 * Takes a provider's notification about a mandate (GATE-9): stores it once and publishes `mandate_fact.received`. Mandates decides
 * what it means. It receives the fact before the provider is answered, and begins no call from then on (DEB-7). The event is for
 * the case that the call to mandates fails.
 */
@Injectable()
export class TakeMandateFact {
  constructor(
    private readonly database: Database,
    private readonly mandates: Mandates,
    private readonly log: Log,
  ) {}

  /** Throws 503 when mandates does not answer, so that the provider sends the callback again. */
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
    if (isOurs) await this.mandates.reportFact(fact);
    else this.log.warn('a callback is about an unknown mandate', { provider_name, event_id });
  }
}
