import type { Answer, GatewayOrder, GatewayOrderStatus } from '@fundrail/providers';
import type { OutsideAnswer } from '@fundrail/service-kit/due';
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

/** The facts in the answer to a review request, a refusal included. A `yes` only means that the request arrived. */
export function factsOfReview(answer: Answer<null>): OutsideAnswer<GatewayOrderStatus> {
  if (answer.kind === 'yes') return { kind: 'yes', value: NOTHING_BEHIND };
  if (answer.kind !== 'no') return answer;
  const review = { result: 'failed', failure_code: answer.failure_code } as const;
  return { kind: 'yes', value: { ...NOTHING_BEHIND, review } };
}

/** The facts in the answer to a submission, a refusal included. */
export function factsOfSubmission(
  answer: Answer<{ readonly order_reference: string }>,
): OutsideAnswer<GatewayOrderStatus> {
  if (answer.kind !== 'yes' && answer.kind !== 'no') return answer;
  const submission =
    answer.kind === 'yes'
      ? ({ result: 'accepted', ...answer.value } as const)
      : ({ result: 'refused', failure_code: answer.failure_code } as const);
  return { kind: 'yes', value: { ...NOTHING_BEHIND, review: { result: 'passed' }, submission } };
}
