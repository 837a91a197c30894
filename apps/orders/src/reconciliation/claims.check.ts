import { paymentStandings, RECONCILIATION_PAGE, type PaymentStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import {
  byKey,
  pageByNumber,
  ReconciliationCheck,
  type Allowed,
  type CheckPage,
  type Finding,
  type Window,
} from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { ReturnCollection } from '../mf-redemption/return-collection.ts';
import { lockOrderNumbers } from '../order/order.repository.ts';
import { checkClaimAt, claimedOrders, pageOfClaimed, type ClaimedOrder } from './standing.repository.ts';

/** Compares the claims of orders with the payments that hold them. */
@Injectable()
export class ClaimsCheck extends ReconciliationCheck {
  readonly name = 'claims';

  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
    private readonly returned: ReturnCollection,
  ) {
    super();
  }

  async page(cursor: string | null, { from }: Window): Promise<CheckPage> {
    const rows = await pageOfClaimed(this.db, Number(cursor ?? 0), from);
    return pageByNumber(
      rows,
      RECONCILIATION_PAGE,
      ({ old_id }) => old_id,
      (all) => this.compare(all.filter(({ wanted }) => wanted)),
    );
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const oldIds = findings.map(({ object }) => Number(object));
    return this.compare(await claimedOrders(this.db, oldIds));
  }

  /** The sweep of claims asks payments, which makes the id void before the claim is released (CLAIM-8). */
  override async repair(finding: Finding, { acceptLostMoney }: Allowed): Promise<boolean> {
    const { kind, object, facts } = finding;
    if (kind === 'collection_without_money') return this.takeReturn(finding);
    const isLost = kind === 'claim_of_lost_payment';
    if (isLost && facts['money_at_provider'] !== false && !acceptLostMoney) return false;
    if (!isLost && kind !== 'claim_of_dead_payment') return false;
    const now = await this.db.now();
    return checkClaimAt(this.db, Number(object), Number(facts['claimed_by']), now);
  }

  /** Does what the payment's event would have done. An unknown payment proves nothing. */
  private takeReturn({ object, tenant, facts }: Finding): Promise<boolean> {
    if (tenant === null || !isDead(facts['payment_status'])) return Promise.resolve(false);
    return this.db.transaction(async (tx) => {
      const [row] = await lockOrderNumbers(tx, tenant, 'redemption', [Number(object)]);
      if (!row || row.payment_id !== facts['payment_id'] || row.collection_returned_at !== null) return false;
      await this.returned.executeIn(tx, row);
      return true;
    });
  }

  private async compare(orders: readonly ClaimedOrder[]): Promise<readonly Finding[]> {
    const ids = [...new Set(orders.flatMap((order) => paidBy(order) ?? []))];
    const payments = byKey(await this.standings(ids), ({ payment_id }) => payment_id);
    return orders.flatMap((order) => {
      const payment = payments.get(paidBy(order) ?? 0);
      const holder = order.claimed_by === null ? undefined : payment;
      return [
        ...claimFinding(order, holder),
        ...moneyFinding(order, payment),
        ...returnFinding(order, payment),
      ];
    });
  }

  private async standings(payment_ids: readonly number[]): Promise<readonly PaymentStanding[]> {
    if (payment_ids.length === 0) return [];
    const { payments } = await this.services.call('payments', {
      method: 'POST',
      path: '/internal/reconciliation/payments',
      body: { payment_ids },
      answer: paymentStandings,
      // Payments asks the providers about ids that it does not know.
      timeoutMs: 20_000,
      retry: true,
    });
    return payments;
  }
}

function claimFinding(order: ClaimedOrder, payment: PaymentStanding | undefined): Finding[] {
  if (order.claimed_by === null || !payment) return [];
  const facts = { order: order.id, state: order.state, claimed_by: order.claimed_by };
  const about = { object: String(order.old_id), tenant: order.tenant };
  if (payment.known === 'payment') {
    if (payment.live.includes(order.old_id)) return [];
    return [{ ...about, kind: 'claim_of_dead_payment', facts: { ...facts, payment_status: payment.status } }];
  }
  // The id was made void, but a provider may have money under it: payments lost it, but the investor has paid.
  if (payment.known === 'void' && payment.money === false)
    return [{ ...about, kind: 'claim_of_dead_payment', facts: { ...facts, payment_status: 'void' } }];
  return [{ ...about, kind: 'claim_of_lost_payment', facts: { ...facts, money_at_provider: payment.money } }];
}

/** The payment that holds the order, or that collected its money. A dead payment has released the order. */
function paidBy({ claimed_by, collection_mandate, payment_id }: ClaimedOrder): number | null {
  return claimed_by ?? (collection_mandate === null ? null : payment_id);
}

function isDead(status: unknown): boolean {
  return status === 'FAILED' || status === 'REJECTED';
}

/** A collected installment continues although its money went back, or its money cannot be found. */
function returnFinding(order: ClaimedOrder, payment: PaymentStanding | undefined): Finding[] {
  const { old_id, id, tenant, state, collected_at, collection_returned_at, payment_id } = order;
  const goesOn = state === 'submitted' || (state === 'confirmed' && collection_returned_at === null);
  if (collected_at === null || !goesOn || payment_id === null) return [];
  const payment_status = payment?.known === 'payment' ? payment.status : (payment?.known ?? null);
  if (payment?.known === 'payment' && !isDead(payment.status)) return [];
  const facts = { order: id, state, payment_id, payment_status };
  return [{ kind: 'collection_without_money', object: String(old_id), tenant, facts }];
}

/** The registrar completes a purchase or a collected installment only after it has received the money (ORD-27). */
function moneyFinding(order: ClaimedOrder, payment: PaymentStanding | undefined): Finding[] {
  if (order.kind !== 'purchase' && order.collection_mandate === null) return [];
  if (order.state !== 'successful') return [];
  if (payment?.known === 'payment' && payment.status === 'APPROVED') return [];
  const payment_status = payment?.known === 'payment' ? payment.status : (payment?.known ?? null);
  const facts = { order: order.id, payment_id: order.payment_id, payment_status };
  return [
    {
      kind: 'order_ended_without_money',
      object: String(order.old_id),
      tenant: order.tenant,
      facts,
    },
  ];
}
