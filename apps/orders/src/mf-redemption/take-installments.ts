import type { PlanInstallment } from '@fundrail/contracts';
import { eventsOf } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { dueAfter } from '../order/order-due.ts';
import type { OrderStep } from '../order/order.ts';
import { drawOrderNumbers, findOrders } from '../order/order.repository.ts';
import { insertInstallments, type NewInstallment } from './installment.repository.ts';
import { createInstallment, toMfRedemption } from './mf-redemption.ts';

/** An installment that a plan has generated. */
interface GeneratedInstallment {
  readonly tenant: string;
  readonly installment: PlanInstallment;
  /** W3C trace context of its generation; null: that of the running work. */
  readonly traceparent: string | null;
}

/**
 * Creates the redemptions of generated installments, once each by the redemption's id and by the plan's number (PLAN-16), even if
 * an event arrives twice or at two replicas. The number of statements is constant for any number of installments, because a million
 * may fall due on one day.
 */
@Injectable()
export class TakeInstallments {
  constructor(private readonly log: Log) {}

  /** Returns how many were new. */
  async executeIn(tx: Tx, generated: readonly GeneratedInstallment[]): Promise<number> {
    const numbers = await drawOrderNumbers(tx, generated.length);
    const records = generated.map(({ tenant, installment, traceparent }, index) => {
      const old_id = numbers[index];
      if (old_id === undefined) throw new Error('the sequence returned too few numbers');
      return recordOf(tx, createInstallment(tenant, installment, old_id, tx.now), traceparent);
    });
    const taken = await insertInstallments(tx, records);
    if (taken < generated.length)
      for (const [tenant, ofTenant] of Map.groupBy(generated, (one) => one.tenant))
        await this.explain(
          tx,
          tenant,
          ofTenant.map(({ installment }) => installment),
        );
    return taken;
  }

  /** A repeated installment has a known id. Two ids for one number of a plan are a defect of the service that drew them. */
  private async explain(tx: Tx, tenant: string, installments: readonly PlanInstallment[]): Promise<void> {
    const ids = installments.map(({ redemption }) => redemption);
    const known = new Set((await findOrders(tx, tenant, 'redemption', ids)).map(({ id }) => id));
    for (const { redemption, plan, installment_number } of installments)
      if (!known.has(redemption))
        this.log.error('an installment was drawn twice under two ids', undefined, {
          ...{ tenant, plan, installment_number, redemption },
        });
  }
}

/** A new installment with its one event and its due work. */
function recordOf(tx: Tx, step: OrderStep, traceparent: string | null): NewInstallment {
  const about = { aggregateId: step.row.id, toObject: toMfRedemption, now: tx.now, traceparent };
  const [event] = eventsOf({ decision: step, before: null, ...about });
  if (!event) throw new Error('a creation has one event');
  const [due] = dueAfter(step, tx.now);
  return { row: step.row, trigger: step.trigger, event, due: due?.kind ?? null };
}
