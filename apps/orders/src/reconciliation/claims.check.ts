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
import { checkClaimAt, claimedOrders, pageOfClaimed, type ClaimedOrder } from './standing.repository.ts';

/** The claims of orders against the payments that hold them. */
@Injectable()
export class ClaimsCheck extends ReconciliationCheck {
  readonly name = 'claims';

  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
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

  /** The sweep of claims asks payments, which makes the id void before the claim is freed (architecture §11). */
  override async repair(finding: Finding, { acceptLostMoney }: Allowed): Promise<boolean> {
    const { kind, object, facts } = finding;
    const isLost = kind === 'claim_of_lost_payment';
    if (isLost && facts['money_at_provider'] !== false && !acceptLostMoney) return false;
    if (!isLost && kind !== 'claim_of_dead_payment') return false;
    const now = await this.db.now();
    return checkClaimAt(this.db, Number(object), Number(facts['claimed_by']), now);
  }

  private async compare(orders: readonly ClaimedOrder[]): Promise<readonly Finding[]> {
    const ids = [...new Set(orders.flatMap(({ claimed_by }) => claimed_by ?? []))];
    const payments = byKey(await this.standings(ids), ({ payment_id }) => payment_id);
    return orders.flatMap((order) => {
      const payment = order.claimed_by === null ? undefined : payments.get(order.claimed_by);
      return [...claimFinding(order, payment), ...moneyFinding(order, payment)];
    });
  }

  private async standings(payment_ids: readonly number[]): Promise<readonly PaymentStanding[]> {
    if (payment_ids.length === 0) return [];
    const { payments } = await this.services.call('payments', {
      method: 'POST',
      path: '/internal/reconciliation/payments',
      body: { payment_ids },
      answer: paymentStandings,
      // Of ids that it does not know it asks the providers.
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
  // The id was made void, and yet a provider may have money under it: what payments forgot, the investor has paid.
  if (payment.known === 'void' && payment.money === false)
    return [{ ...about, kind: 'claim_of_dead_payment', facts: { ...facts, payment_status: 'void' } }];
  return [{ ...about, kind: 'claim_of_lost_payment', facts: { ...facts, money_at_provider: payment.money } }];
}

/** The registrar answers for a purchase only after its money has been handed over (contract §2). */
function moneyFinding(order: ClaimedOrder, payment: PaymentStanding | undefined): Finding[] {
  if (order.kind !== 'purchase' || order.state !== 'successful') return [];
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
