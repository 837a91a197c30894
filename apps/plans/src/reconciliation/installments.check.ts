import { RECONCILIATION_PAGE, redemptionStandings, type RedemptionStanding } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import {
  checkOf,
  compare,
  objectsIn,
  question,
  RowsCheck,
  withUnpublished,
  type Sides,
} from '@fundrail/service-kit/reconciliation';
import { learnInstallmentEnd } from '../installment/end-installment.ts';
import { recordPurchaseEnds } from '../installment/end-purchases.ts';
import { findInstallment } from '../installment/installment.repository.ts';
import { publishInstallment } from '../installment/publish-installment.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { installmentsNamed, pageOfInstallments } from './standing.repository.ts';
import type { HeldInstallment, InstallmentPlace } from './standing.repository.ts';

// Most installments ended long ago and need no question. So a page reads many rows, and asks orders about the rest in parts.
const ROWS = 5_000;
/** Orders needs a quarter of an hour for a million installments of one day (bench/swp/README.md). */
const ON_THE_WAY_MS = 3_600_000;
const ENDED = new Set<RedemptionStanding['state']>(['successful', 'failed', 'cancelled', 'reversed']);

/** Compares the installments of plans of either kind with their orders. An object is a plan and a number: `mrp_…/3`. */
export const installmentsCheck = checkOf(
  RowsCheck<HeldInstallment>,
  [Database, ServiceClient],
  (db, services) => ({
    name: 'installments',
    most: ROWS,
    graceMs: ON_THE_WAY_MS,
    rows: (after, window) => pageOfInstallments(db, placeIn(after), window, ROWS),
    placeOf: nameOf,
    named: (found) => installmentsNamed(db, objectsIn(found).map(placeIn)),
    compare: async (held) => {
      const redemptions: RedemptionStanding[] = [];
      for (let at = 0; at < held.length; at += RECONCILIATION_PAGE) {
        const ids = held.slice(at, at + RECONCILIATION_PAGE).map(({ redemption }) => redemption);
        const call = question('redemptions', { ids }, redemptionStandings);
        redemptions.push(...(await services.call('orders', call)).redemptions);
      }
      return compare(held, redemptions, SIDES);
    },
    // Plans that still have events in the outbox: those installments are on their way, even after a long outage of Kafka.
    onTheWay: async (found) => {
      const lacking = found.filter(({ kind }) => kind === 'installment_not_at_orders');
      const plans = new Set(lacking.map(({ object }) => placeIn(object).plan));
      const waiting = plans.size === 0 ? plans : await withUnpublished(db, [...plans]);
      return lacking.filter(({ object }) => waiting.has(placeIn(object).plan));
    },
    repair: async ({ kind, object, tenant }) => {
      if (tenant === null) return false;
      const place = placeIn(object);
      const order = kind === 'installment_end_not_heard' ? await orderOf(db, services, place) : null;
      return db.transaction(async (tx) => {
        // Under the plan's lock, as the ends of its installments are recorded.
        await PLAN.lock(tx, tenant, place.plan);
        const [held] = await installmentsNamed(tx, [place]);
        if (!held) return false;
        if (kind === 'installment_not_at_orders') return publishAgain(tx, tenant, held);
        if (order === null) return false;
        if (!held.redemption.startsWith('mfp_')) return learnInstallmentEnd(tx, tenant, held);
        return (await recordPurchaseEnds(tx, [{ ...held, ...order, tenant }])) === 1;
      });
    },
  }),
);

const SIDES: Sides<HeldInstallment, RedemptionStanding> = {
  keyOf: ({ redemption }) => redemption,
  otherKeyOf: ({ id }) => id,
  about: (held, standing) => ({
    ...{ object: nameOf(held), tenant: held.tenant },
    facts: { redemption: held.redemption, state: standing?.state ?? null, has_ended: held.ended },
  }),
  missing: () => ({ installment_not_at_orders: {} }),
  differing: (held, { state, amount }) => ({
    installment_amount_differs: held.amount !== null && amount !== null && !amount.equals(held.amount) && {},
    installment_end_not_heard: ENDED.has(state) && !held.ended && {},
    installment_went_back: !ENDED.has(state) && held.ended && {},
  }),
};

/** What orders has of the installment now, or null. */
async function orderOf(
  db: Database,
  services: ServiceClient,
  place: InstallmentPlace,
): Promise<RedemptionStanding | null> {
  const [held] = await installmentsNamed(db, [place]);
  if (!held) return null;
  const call = question('redemptions', { ids: [held.redemption] }, redemptionStandings);
  return (await services.call('orders', call)).redemptions[0] ?? null;
}

/**
 * Publishes the installment again, but never one that has ended. Its redemption would be created and executed a second time,
 * although it was cancelled or the investor has already received the money. An operator has to handle such a loss.
 */
async function publishAgain(tx: Tx, tenant: string, held: HeldInstallment): Promise<boolean> {
  const found = held.ended ? null : await findInstallment(tx, tenant, held);
  if (!found) return false;
  await publishInstallment(tx, tenant, found.installment);
  return true;
}

function nameOf({ plan, installment_number }: InstallmentPlace): string {
  return `${plan}/${installment_number}`;
}

function placeIn(name: string): InstallmentPlace {
  const [plan = '', number = ''] = name.split('/');
  return { plan, installment_number: Number(number) };
}
