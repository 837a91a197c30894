import { Decimal } from '@fundrail/contracts';
import {
  BadSignature,
  type Answer,
  type CallbackHeaders,
  type GatewayOrder,
  type GatewayOrderStatus,
  type OrderCallback,
  type OrderGateway,
} from '@fundrail/providers';
import { NOT_FOUND, YES } from '@fundrail/testing';

export { NONSENSE, NOT_FOUND, SILENCE } from '@fundrail/testing';
const ALLOTTED = {
  traded_on: '2026-12-22',
  units: Decimal.parse('100'),
  amount: Decimal.parse('4999.75'),
  price: Decimal.parse('49.9975'),
  folio_number: '91012345678',
} as const;

type Operation = 'review' | 'submit' | 'status';

/** The facts of an order in review, with `changes` applied. */
export function facts(changes: Partial<GatewayOrderStatus> = {}): GatewayOrderStatus {
  return {
    review: { result: 'waiting' },
    submission: { result: 'none' },
    outcome: { result: 'waiting' },
    ...changes,
  };
}

export const PASSED = { review: { result: 'passed' } } as const;
export const ACCEPTED = { ...PASSED, submission: { result: 'accepted', order_reference: 'REF1' } } as const;
const SUCCESSFUL = { ...ACCEPTED, outcome: { result: 'successful', details: ALLOTTED } } as const;

const PAYOUT = { paid_at: new Date('2026-12-29T10:00:00+05:30'), reference: 'N1' } as const;

/**
 * An order gateway with answers set by the test. By default it accepts every review and submission, and answers a status question
 * with the facts in `known`, or `not_found`.
 */
export class FakeOrderGateway implements OrderGateway {
  payouts = true;
  listOrders?: NonNullable<OrderGateway['listOrders']>;
  readonly calls: { readonly operation: Operation; readonly reference: string }[] = [];
  readonly known = new Map<string, GatewayOrderStatus>();
  onReview: (order: GatewayOrder) => Answer<null> = () => YES;
  onSubmit: (order: GatewayOrder) => Answer<{ order_reference: string }> = () => ({
    kind: 'yes',
    value: { order_reference: 'REF1' },
  });
  onStatus: (reference: string) => Answer<GatewayOrderStatus> = (reference) => {
    const value = this.known.get(reference);
    return value ? { kind: 'yes', value } : NOT_FOUND;
  };

  async requestReview(order: GatewayOrder): Promise<Answer<null>> {
    this.calls.push({ operation: 'review', reference: order.reference });
    return Promise.resolve(this.onReview(order));
  }

  async submit(order: GatewayOrder): Promise<Answer<{ readonly order_reference: string }>> {
    this.calls.push({ operation: 'submit', reference: order.reference });
    return Promise.resolve(this.onSubmit(order));
  }

  async status(reference: string): Promise<Answer<GatewayOrderStatus>> {
    this.calls.push({ operation: 'status', reference });
    return Promise.resolve(this.onStatus(reference));
  }

  /** The body is the callback as JSON, and the signature is a word. Decimals are JSON numbers. */
  readCallback(headers: CallbackHeaders, rawBody: string): OrderCallback {
    if (headers['x-gatewaypoa-signature'] !== 'good') throw new BadSignature('not ours');
    const { event_id, reference, status } = JSON.parse(rawBody) as {
      event_id: string;
      reference: string;
      status: string;
    };
    return { event_id, reference, status: STORIES[status] ?? null };
  }

  countOf(operation: Operation, reference: string): number {
    return this.calls.filter((call) => call.operation === operation && call.reference === reference).length;
  }
}

/** The callbacks that a test can send, by a word. Any other word is not understood. */
export const STORIES: Readonly<Record<string, GatewayOrderStatus>> = {
  reviewed: facts(PASSED),
  reviewed_other: facts({ review: { result: 'passed', scheme_category: 'other' } }),
  review_failed: facts({ review: { result: 'failed', failure_code: 'kyc_incomplete' } }),
  accepted: facts(ACCEPTED),
  refused: facts({ ...PASSED, submission: { result: 'refused', failure_code: 'cut_off' } }),
  successful: facts(SUCCESSFUL),
  successful_overseas: facts({
    ...ACCEPTED,
    outcome: { result: 'successful', details: { ...ALLOTTED, is_overseas: true } },
  }),
  paid_out: facts({ ...SUCCESSFUL, payout: PAYOUT }),
  paid_out_again: facts({ ...SUCCESSFUL, payout: { ...PAYOUT, reference: 'N2' } }),
  failed: facts({ ...ACCEPTED, outcome: { result: 'failed', failure_code: 'registrar_rejected' } }),
  reversed: facts({ ...ACCEPTED, outcome: { result: 'reversed', failure_code: 'cheque_bounced' } }),
};
