import { RECONCILIATION_PAGE, redemptionStandings, type RedemptionStanding } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import {
  byKey,
  ReconciliationCheck,
  withUnpublished,
  type CheckPage,
  type Finding,
  type Window,
} from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { learnInstallmentEnd } from '../installment/end-installment.ts';
import { findInstallment } from '../installment/installment.repository.ts';
import { publishInstallment } from '../installment/publish-installment.ts';
import { lockPlan } from '../plan/plan.repository.ts';
import {
  installmentsNamed,
  pageOfInstallments,
  type HeldInstallment,
  type InstallmentPlace,
} from './standing.repository.ts';

// Most installments ended long ago and need no question. So a page reads many rows, and asks orders about the rest in parts.
const ROWS = 5_000;
/** Orders needs a quarter of an hour for a million installments of one day (bench/README.md, "swp"). */
const ON_THE_WAY_MS = 3_600_000;
const ENDED = new Set<RedemptionStanding['state']>(['successful', 'failed', 'cancelled', 'reversed']);

/** Compares the installments of plans with their redemptions at orders. An object is a plan and a number: `mrp_…/3`. */
@Injectable()
export class InstallmentsCheck extends ReconciliationCheck {
  readonly name = 'installments';

  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
  ) {
    super();
  }

  async page(cursor: string | null, { from, to }: Window): Promise<CheckPage> {
    const after = cursor === null ? { plan: '', installment_number: 0 } : placeOf(cursor);
    const window = { from, to: new Date(to.getTime() - ON_THE_WAY_MS) };
    const rows = await pageOfInstallments(this.db, after, window, ROWS);
    const found = await this.withoutThoseOnTheWay(await this.compare(rows.filter(({ wanted }) => wanted)));
    const last = rows.at(-1);
    return { found, next: last && rows.length === ROWS ? nameOf(last) : null, looked: rows.length };
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const places = findings.map(({ object }) => placeOf(object));
    return this.compare(await installmentsNamed(this.db, places));
  }

  override async repair({ kind, object, tenant }: Finding): Promise<boolean> {
    if (tenant === null) return false;
    const place = placeOf(object);
    return this.db.transaction(async (tx) => {
      // Under the plan's lock, as the ends of its installments are recorded.
      await lockPlan(tx, tenant, place.plan);
      const [held] = await installmentsNamed(tx, [place]);
      if (!held) return false;
      if (kind === 'installment_not_at_orders') return publishAgain(tx, tenant, held);
      return kind === 'installment_end_not_heard' && learnInstallmentEnd(tx, tenant, held);
    });
  }

  private async compare(held: readonly HeldInstallment[]): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for (let at = 0; at < held.length; at += RECONCILIATION_PAGE) {
      const some = held.slice(at, at + RECONCILIATION_PAGE);
      const standings = await this.standingsOf(some.map(({ redemption }) => redemption));
      found.push(...some.flatMap((one) => differenceOf(one, standings.get(one.redemption)) ?? []));
    }
    return found;
  }

  /**
   * Removes findings of plans that still have events in the outbox: those installments are on their way, even after a long outage
   * of Kafka.
   */
  private async withoutThoseOnTheWay(found: readonly Finding[]): Promise<readonly Finding[]> {
    const lacking = found.filter(({ kind }) => kind === 'installment_not_at_orders');
    if (lacking.length === 0) return found;
    const plans = new Set(lacking.map(({ object }) => placeOf(object).plan));
    const waiting = await withUnpublished(this.db, [...plans]);
    return found.filter(
      ({ kind, object }) => kind !== 'installment_not_at_orders' || !waiting.has(placeOf(object).plan),
    );
  }

  private async standingsOf(ids: readonly string[]): Promise<ReadonlyMap<string, RedemptionStanding>> {
    const { redemptions } = await this.services.call('orders', {
      ...{ method: 'POST', path: '/internal/reconciliation/redemptions', body: { ids } },
      ...{ answer: redemptionStandings, retry: true },
    });
    return byKey(redemptions, ({ id }) => id);
  }
}

/**
 * Publishes the installment again, but never one that has ended. Its redemption would be created and executed a second time,
 * although it was cancelled or the investor has already received the money. An operator has to handle such a loss.
 */
async function publishAgain(tx: Tx, tenant: string, held: HeldInstallment): Promise<boolean> {
  const installment = held.ended ? null : await findInstallment(tx, tenant, held);
  if (!installment) return false;
  await publishInstallment(tx, tenant, installment);
  return true;
}

function differenceOf(held: HeldInstallment, standing: RedemptionStanding | undefined): Finding | null {
  const { tenant, redemption } = held;
  const facts = { redemption, state: standing?.state ?? null, has_ended: held.ended };
  const about = { object: nameOf(held), tenant, facts };
  if (!standing) return { ...about, kind: 'installment_not_at_orders' };
  const ended = ENDED.has(standing.state);
  if (ended === held.ended) return null;
  return { ...about, kind: ended ? 'installment_end_not_heard' : 'installment_went_back' };
}

function nameOf({ plan, installment_number }: InstallmentPlace): string {
  return `${plan}/${installment_number}`;
}

function placeOf(name: string): InstallmentPlace {
  const [plan = '', number = ''] = name.split('/');
  return { plan, installment_number: Number(number) };
}
