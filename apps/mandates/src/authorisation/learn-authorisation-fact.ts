import type { AuthorisationFact } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { lockToken, hasContraryReport } from '../fact/provider-event.repository.ts';
import { MANDATE } from '../mandate/mandate.aggregate.ts';
import { doubtMandate } from '../mandate/mandate.repository.ts';
import { MANDATE_DUE, type Mandate } from '../mandate/mandate.ts';
import type { Decision } from '@fundrail/state-machines';
import { requestRevocation } from '../revocation/request-revocation.ts';
import { applyAuthorisationFact } from './authorisation.ts';

/** Applies a fact about an authorisation that payments has published: approves, rejects, or revokes a surplus mandate (MAN-20). */
@Injectable()
export class LearnAuthorisationFact {
  constructor(private readonly log: Log) {}

  /** In the transaction of the inbox row. */
  async execute(tx: Tx, tenant: string, fact: AuthorisationFact): Promise<void> {
    const about = { tenant, mandate_id: fact.mandate_id, payment_id: fact.payment_id, status: fact.status };
    const row = await MANDATE.lock(tx, tenant, fact.mandate_id);
    if (!row) {
      this.log.warn('received an authorisation fact of an unknown mandate', about);
      return;
    }
    const finding = applyAuthorisationFact(row, fact, tx.now);
    if (finding && 'contradiction' in finding)
      this.log.warn('an authorisation contradicts its mandate', {
        ...about,
        ...finding,
        mandate_status: row.mandate_status,
      });
    if (finding && 'surplus' in finding) await requestRevocation(tx, row, finding.surplus, 'surplus');
    if (finding && 'step' in finding) {
      await MANDATE.record(tx, row, finding.step);
      await askAboutEarlierReports(tx, row, finding.step);
    }
    await passFaultPoint('mandates.facts.before_commit');
  }
}

/**
 * The provider may have reported a pause or an end before we knew the token or the approval. That report caused no step then, and
 * the provider does not repeat it. So the provider is asked for the state; after an approval it is always asked.
 */
async function askAboutEarlierReports(tx: Tx, before: Mandate, step: Decision<Mandate>): Promise<void> {
  const after = step.row;
  const { provider_name, mandate_token } = after;
  if (mandate_token === null) return;
  // A transaction that handles a report about a token known here waits for the row, and sees what is written now.
  if (mandate_token !== before.mandate_token) await lockToken(tx, provider_name, mandate_token);
  const isContrary = await hasContraryReport(tx, provider_name, mandate_token);
  if (isContrary) await doubtMandate(tx, after);
  else if (step.trigger !== 'approve') return;
  const work = { kind: MANDATE_DUE.status, key: String(after.id), tenant: after.tenant, due_at: tx.now };
  await scheduleDue(tx, work);
}
