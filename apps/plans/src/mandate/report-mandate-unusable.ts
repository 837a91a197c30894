import { prefixedId } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { scheduleAllDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { findPlansOfMandate } from '../plan/plan.repository.ts';
import { markMandateUnusable } from '../plan/plan.ts';
import { reportHeldStep } from '../purchase-plan/purchase-plan.ts';
import { nextAmount } from '../schedule/step-up.ts';
import { clearReasons, findCollections } from './collection.repository.ts';
import { isOlder, whyUnusable, type CollectingMandate, type MandateReason } from './mandate-rules.ts';

/** Publishes that a plan's mandate cannot collect, as soon as that happens (PLAN-25). Each method is in the transaction of the inbox row. */
@Injectable()
export class ReportMandateUnusable {
  /** The mandate was cancelled, paused or has expired. */
  async ended(tx: Tx, tenant: string, mandate: number, why: MandateReason): Promise<void> {
    for (const id of await findPlansOfMandate(tx, tenant, mandate)) {
      const row = await PLAN.lock(tx, tenant, id);
      // A PATCH may have replaced the mandate meanwhile.
      if (row?.payment_source === mandate && row.made < row.number_of_installments)
        await PLAN.record(tx, row, markMandateUnusable(row, why));
    }
    await passFaultPoint('plans.mandate_ended.before_commit');
  }

  /**
   * The mandate can collect again. If it is still insufficient, the check before the next date publishes that, and of purchase plans, which
   * may have no such check to come, one at once.
   */
  async resumed(tx: Tx, tenant: string, mandate: number): Promise<void> {
    const plans = await findPlansOfMandate(tx, tenant, mandate);
    await clearReasons(tx, plans);
    const purchases = plans.filter((id) => prefixedId('purchasePlan').safeParse(id).success);
    const check = { kind: PLAN_DUE.recheckMandate, tenant, due_at: tx.now };
    await scheduleAllDue(
      tx,
      purchases.map((key) => ({ ...check, key })),
    );
  }

  /**
   * The investor changed the mandate at its issuer (MAN-26). Purchase plans keep the new limit (SIP-7). A plan whose next installment it cannot
   * collect any more reports that, one that it can collect again has no reason, and a step-up that is held from now on is reported (SIP-21).
   */
  async modified(
    tx: Tx,
    tenant: string,
    mandate: CollectingMandate & { readonly event_seq: number },
  ): Promise<void> {
    const { id: source, mandate_limit, event_seq: mandate_seq } = mandate;
    for (const id of await findPlansOfMandate(tx, tenant, source)) {
      const row = await PLAN.lock(tx, tenant, id);
      if (row?.payment_source !== source || row.made >= row.number_of_installments) continue;
      // The plan has asked mandates since.
      if (isOlder({ mandate_seq }, row)) continue;
      const kept = { ...row, reason: null, ...(row.mandate_limit && { mandate_limit, mandate_seq }) };
      const [next] = await findCollections(tx, [id]);
      const why =
        next && whyUnusable(mandate, { ...next, amount: nextAmount({ ...next, mandate_limit }).amount });
      const unusable = why ? [markMandateUnusable(kept, why)] : [];
      const steps = [...unusable, ...reportHeldStep(unusable[0]?.row ?? kept, tx.now)];
      await PLAN.recordAll(tx, [{ before: row, steps, after: steps.at(-1)?.row ?? kept }]);
    }
  }
}
