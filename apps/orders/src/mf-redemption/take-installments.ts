import type { PlanInstallment, PurchaseInstallment } from '@fundrail/contracts';
import { eventsOf } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { dueAfter } from '../order/order-due.ts';
import type { Order, OrderStep } from '../order/order.ts';
import { drawOrderNumbers, findByReferences } from '../order/order.repository.ts';
import { insertInstallments, type NewInstallment } from './installment.repository.ts';
import { createInstallment } from './mf-redemption.ts';
import { createPurchaseInstallment } from '../mf-purchase/purchase-installment.ts';
import { expectedNav } from '../order/expected-nav.ts';
import { toEventObject } from '../order/order-kind.ts';

/** An installment that a plan has generated, as its event names it. */
interface GeneratedInstallment {
  readonly tenant: string;
  readonly object: PlanInstallment | PurchaseInstallment;
  /** W3C trace context of its generation; null: that of the running work. */
  readonly traceparent: string | null;
}

/**
 * Creates the orders of generated installments, once each by the order's id and by the plan's number (PLAN-16, SIP-13), even if an
 * event arrives twice or at two replicas. The number of statements is constant for any number of installments, because a million
 * may fall due on one day.
 */
@Injectable()
export class TakeInstallments {
  constructor(private readonly log: Log) {}

  /** Returns how many were new. */
  async executeIn(tx: Tx, generated: readonly GeneratedInstallment[]): Promise<number> {
    const numbers = await drawOrderNumbers(tx, generated.length);
    const records = generated.map(({ tenant, object, traceparent }, index) => {
      const old_id = numbers[index];
      if (old_id === undefined) throw new Error('the sequence returned too few numbers');
      return recordOf(tx, orderOf(tenant, object, old_id, tx.now), traceparent);
    });
    const taken = await insertInstallments(tx, records);
    if (taken < generated.length)
      for (const [tenant, ofTenant] of Map.groupBy(generated, (one) => one.tenant))
        await this.explain(
          tx,
          tenant,
          ofTenant.map(({ object }) => object),
        );
    return taken;
  }

  /** A repeated installment has a known id. Two ids for one number of a plan are a defect of the service that drew them. */
  private async explain(
    tx: Tx,
    tenant: string,
    installments: readonly GeneratedInstallment['object'][],
  ): Promise<void> {
    const ids = installments.map(idOf);
    const known = new Set((await findByReferences(tx, ids)).map(({ id }) => id));
    for (const installment of installments)
      if (!known.has(idOf(installment))) {
        const { plan, installment_number } = installment;
        this.log.error('an installment was drawn twice under two ids', undefined, {
          ...{ tenant, plan, installment_number, order: idOf(installment) },
        });
      }
  }
}

function idOf(installment: GeneratedInstallment['object']): string {
  return 'purchase' in installment ? installment.purchase : installment.redemption;
}

function orderOf(
  tenant: string,
  installment: GeneratedInstallment['object'],
  old_id: number,
  now: Date,
): OrderStep {
  return 'purchase' in installment
    ? createPurchaseInstallment(tenant, installment, old_id, now)
    : createInstallment(tenant, installment, old_id, now);
}

/** A new installment with its one event and its due work. */
function recordOf(tx: Tx, step: OrderStep, traceparent: string | null): NewInstallment {
  const toObject = (row: Order) => toEventObject(row, expectedNav(row, tx.now));
  const about = { aggregateId: step.row.id, toObject, now: tx.now, traceparent };
  const [event] = eventsOf({ decision: step, before: null, ...about });
  if (!event) throw new Error('a creation has one event');
  const [due] = dueAfter(step, tx.now);
  return { row: step.row, trigger: step.trigger, event, due: due?.kind ?? null };
}
