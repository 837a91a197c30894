import type { Answer, GatewayOrder, GatewayOrderStatus } from '@fundrail/providers';
import type { Order } from '../order/order.ts';

/** Injection token of the `OrderGateway` (GATE-1). */
export const ORDER_GATEWAY = Symbol('orders:order-gateway');

/** The order as it is sent to the gateway. Our id is the reference and the idempotency key. */
export function toGatewayOrder(row: Order): GatewayOrder {
  return {
    reference: row.id,
    tenant: row.tenant,
    old_id: row.old_id,
    kind: row.kind,
    investment_account: row.mf_investment_account,
    scheme: row.scheme,
    folio_number: row.folio_number,
    amount: row.amount,
    units: row.units,
    euin: row.euin,
    collected: row.collection_mandate !== null,
  };
}

const NOTHING_BEHIND = {
  review: { result: 'waiting' },
  submission: { result: 'none' },
  outcome: { result: 'waiting' },
} as const satisfies GatewayOrderStatus;

/** The facts in the answer to a review request, or null when it has none. A `yes` only means that the request arrived. */
export function factsOfReview(answer: Answer<null>): GatewayOrderStatus | null {
  switch (answer.kind) {
    case 'yes':
      return NOTHING_BEHIND;
    case 'no':
      return { ...NOTHING_BEHIND, review: { result: 'failed', failure_code: answer.failure_code } };
    case 'not_found':
    case 'unknown':
      return null;
  }
}

/** The facts in the answer to a submission, or null when it has none. */
export function factsOfSubmission(
  answer: Answer<{ readonly order_reference: string }>,
): GatewayOrderStatus | null {
  const reviewed = { ...NOTHING_BEHIND, review: { result: 'passed' } } as const;
  switch (answer.kind) {
    case 'yes':
      return { ...reviewed, submission: { result: 'accepted', ...answer.value } };
    case 'no':
      return { ...reviewed, submission: { result: 'refused', failure_code: answer.failure_code } };
    case 'not_found':
    case 'unknown':
      return null;
  }
}
