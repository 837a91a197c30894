import type { PaymentStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import {
  checkOf,
  compare,
  numbersIn,
  RowsCheck,
  standingName,
  standingsOfPayments,
  type Differences,
  type Finding,
} from '@fundrail/service-kit/reconciliation';
import { ReturnCollection } from '../mf-redemption/return-collection.ts';
import { lockOrderNumbers } from '../order/order.repository.ts';
import { checkClaimAt, claimedOrders, pageOfClaimed, type ClaimedOrder } from './standing.repository.ts';

/** Compares the claims of orders with the payments that hold them. */
export const claimsCheck = checkOf(
  RowsCheck<ClaimedOrder>,
  [Database, ServiceClient, ReturnCollection],
  (db, services, returned) => ({
    name: 'claims',
    rows: (after, { from }) => pageOfClaimed(db, Number(after), from),
    placeOf: ({ old_id }) => old_id,
    named: (found) => claimedOrders(db, numbersIn(found)),
    compare: async (orders) => {
      const ids = orders.flatMap((order) => paidBy(order) ?? []);
      return compare(orders, await standingsOfPayments(services, ids), {
        keyOf: paidBy,
        otherKeyOf: ({ payment_id }) => payment_id,
        about: ({ old_id, id, tenant }) => ({ object: String(old_id), tenant, facts: { order: id } }),
        missing: (order) => moneyOf(order, undefined),
        differing: (order, payment) => ({ ...claimOf(order, payment), ...moneyOf(order, payment) }),
      });
    },
    // The sweep of claims asks payments, which makes the id void before the claim is released (CLAIM-8).
    repair: async (finding, { acceptLostMoney }) => {
      const { kind, object, facts } = finding;
      if (kind === 'collection_without_money') return takeReturn(db, returned, finding);
      const isLost = kind === 'claim_of_lost_payment';
      if (isLost && facts['money_at_provider'] !== false && !acceptLostMoney) return false;
      if (!isLost && kind !== 'claim_of_dead_payment') return false;
      return checkClaimAt(db, Number(object), Number(facts['claimed_by']), await db.now());
    },
  }),
);

/** Does what the payment's event would have done. An unknown payment proves nothing. */
async function takeReturn(
  db: Database,
  returned: ReturnCollection,
  { object, tenant, facts }: Finding,
): Promise<boolean> {
  if (tenant === null || !isDead(facts['payment_status'])) return false;
  return db.transaction(async (tx) => {
    const [row] = await lockOrderNumbers(tx, tenant, 'redemption', [Number(object)]);
    if (!row || row.payment_id !== facts['payment_id'] || row.collection_returned_at !== null) return false;
    await returned.executeIn(tx, row);
    return true;
  });
}

/** The payment that holds the order, or that collected its money. A dead payment has released the order. */
function paidBy({ claimed_by, collection_mandate, payment_id }: ClaimedOrder): number | null {
  return claimed_by ?? (collection_mandate === null ? null : payment_id);
}

function isDead(status: unknown): boolean {
  return status === 'FAILED' || status === 'REJECTED';
}

function claimOf({ old_id, state, claimed_by }: ClaimedOrder, payment: PaymentStanding): Differences {
  if (claimed_by === null) return {};
  const claim = { state, claimed_by, payment_status: standingName(payment) };
  if (payment.known === 'payment') return { claim_of_dead_payment: !payment.live.includes(old_id) && claim };
  // The id was made void, but a provider may have money under it: payments lost it, but the investor has paid.
  if (payment.known === 'void' && payment.money === false) return { claim_of_dead_payment: claim };
  return { claim_of_lost_payment: { state, claimed_by, money_at_provider: payment.money } };
}

function moneyOf(order: ClaimedOrder, payment: PaymentStanding | undefined): Differences {
  const { kind, state, collection_mandate, collected_at, collection_returned_at, payment_id } = order;
  const payment_status = payment ? standingName(payment) : null;
  const isPaid = kind === 'purchase' || collection_mandate !== null;
  const goesOn = state === 'submitted' || (state === 'confirmed' && collection_returned_at === null);
  const isGone = payment?.known !== 'payment' || isDead(payment.status);
  return {
    // The registrar completes a purchase or a collected installment only after it has received the money (ORD-27).
    order_ended_without_money: isPaid &&
      state === 'successful' &&
      payment_status !== 'APPROVED' && { payment_id, payment_status },
    // A collected installment continues although its money went back, or its money cannot be found.
    collection_without_money: collected_at !== null &&
      payment_id !== null &&
      goesOn &&
      isGone && { state, payment_id, payment_status },
  };
}
