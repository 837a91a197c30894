import type { Tx } from '@fundrail/persistence';
import { PLAN } from '../plan/plan.aggregate.ts';
import { lockPlans } from '../plan/plan.repository.ts';
import { outcomeOf, stepsAfterEnd } from './installment-end.ts';
import { countEnds, endInstallments, type InstallmentKey } from './installment.repository.ts';

/** The end of an installment's purchase. */
interface PurchaseEnd extends InstallmentKey {
  readonly tenant: string;
  readonly state: string;
  readonly failure_code: string | null;
  readonly folio_number: string | null;
}

/**
 * Records the ends of purchases at their plans (SIP-14, SIP-16 to SIP-18). The number of statements is constant for any number of plans,
 * because the ends of a million installments of one day come together. Returns how many ends were new.
 */
export async function recordPurchaseEnds(tx: Tx, ends: readonly PurchaseEnd[]): Promise<number> {
  let recorded = 0;
  // Each round has one end of a plan, so that each is counted by itself. The first one locks all of the plans, in the order of their ids.
  for (const round of roundsOf(ends)) recorded += await recordRound(tx, round);
  return recorded;
}

async function recordRound(tx: Tx, ends: readonly PurchaseEnd[]): Promise<number> {
  const plans = await lockPlans(
    tx,
    ends.map(({ plan }) => plan),
  );
  const rows = new Map(plans.map((row) => [row.id, row]));
  const known = ends.filter((end) => rows.get(end.plan)?.tenant === end.tenant);
  const ended = await endInstallments(
    tx,
    known.map((end) => ({ ...end, outcome: outcomeOf(end) })),
  );
  const fresh = known.filter(({ plan }) => ended.has(plan));
  const counts = await countEnds(
    tx,
    fresh.map(({ plan }) => plan),
  );
  await PLAN.recordAll(
    tx,
    fresh.flatMap((end) => {
      const [before, count] = [rows.get(end.plan), counts.get(end.plan)];
      if (!before || !count) return [];
      const counted = { ...count, outcome: outcomeOf(end), folio_number: end.folio_number };
      return [{ before, steps: stepsAfterEnd(before, counted, tx.now) }];
    }),
  );
  return fresh.length;
}

/** The first ends of all plans, then the second ones, and so on. */
function roundsOf(ends: readonly PurchaseEnd[]): readonly (readonly PurchaseEnd[])[] {
  const rounds: PurchaseEnd[][] = [];
  for (const ofPlan of Map.groupBy(ends, ({ plan }) => plan).values())
    ofPlan.forEach((end, index) => (rounds[index] ??= []).push(end));
  return rounds;
}
