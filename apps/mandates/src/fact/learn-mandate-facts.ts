import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { MANDATE_DUE } from '../mandate/mandate.ts';
import { MANDATE } from '../mandate/mandate.aggregate.ts';
import { countProviderFact, doubtMandate, lockMandateByToken } from '../mandate/mandate.repository.ts';
import { judgeNotification } from './mandate-facts.ts';
import { lockToken, noteProviderEvent, type ProviderEvent } from './provider-event.repository.ts';

/** Applies a provider's notification about a mandate, from a callback or an event, once for its event id. */
@Injectable()
export class LearnMandateFacts {
  constructor(private readonly log: Log) {}

  /** Runs in the caller's transaction and makes no remote call. If one is needed, it is scheduled as due work. */
  async execute(tx: Tx, event: ProviderEvent): Promise<void> {
    await lockToken(tx, event.provider_name, event.mandate_token);
    if (!(await noteProviderEvent(tx, event))) return;
    const { provider_name, event_id, mandate_token, state, terms } = event;
    const row = await lockMandateByToken(tx, provider_name, mandate_token);
    if (!row) {
      // Its approval may still be on its way here. The approval asks the provider then.
      this.log.info('a provider reported on an unknown mandate', { provider_name, event_id, state });
      return;
    }
    await countProviderFact(tx, row);
    const judged = judgeNotification(row, state, tx.now, terms);
    if (judged === 'ask') {
      // The provider gets its 200 when this commits. From then on no call is begun until it has confirmed the state.
      await doubtMandate(tx, row);
      const key = String(row.id);
      await scheduleDue(tx, { kind: MANDATE_DUE.status, key, tenant: row.tenant, due_at: tx.now });
    } else if (judged) await MANDATE.record(tx, row, judged.step);
  }
}
