import { Decimal, istTimestamp } from '@fundrail/contracts';
import type {
  AuthorisationFact,
  DebitFact,
  HandedDebit,
  PaymentDto,
  PaymentFailureCode,
} from '@fundrail/contracts';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import type { Changes, Decision, PaymentTrigger } from '@fundrail/state-machines';
import { failedReason } from './failed-reasons.ts';
import type { Holder } from './payment-id.repository.ts';
import type { CaptureRow, PaymentRow, RefundRow, ShareRow } from './payment.tables.ts';

/** The kinds of due work of this service; each kind has one handler. The key is the payment's id; refunds have their own keys. */
export type DueKind =
  | 'payment.issue_uri'
  | 'payment.send_collect'
  | 'payment.expire'
  | 'payment.status'
  | 'payment.transfer'
  | 'payment.sweep'
  | 'payment.free_orders'
  | 'payment.refund'
  | 'authorisation.collect'
  | 'debit.unconfirmed';
export interface DueTask {
  readonly kind: DueKind;
  readonly key: string;
  readonly due_at: Date;
  /** How many steps of the back-off to skip; default 0. */
  readonly attempts?: number;
}

/** The aggregate: the row with its shares (ordered by `old_id`), refunds (by number) and captures (by time). */
export interface Payment extends PaymentRow {
  readonly orders: readonly ShareRow[];
  readonly refunds: readonly RefundRow[];
  readonly captures: readonly CaptureRow[];
}

/** `fact` is the event's object when that is not the payment itself: a state of an authorisation's mandate, or what is known of a debit. */
export type Step = Decision<Payment, PaymentTrigger | Amendment> & {
  readonly fact?: AuthorisationFact | DebitFact | HandedDebit;
};
/** Changes of a payment that keep its status, as the history names them. */
type Amendment =
  | 'request_uri'
  | 'open_checkout'
  | 'open_page'
  | 'begin_ending'
  | 'close_at_provider'
  | 'accept_transfer'
  | 'receive'
  | 'refund'
  | 'accept_refund'
  | 'return_by_registrar'
  | 'tell_mandate'
  | 'report_debit'
  | 'plan_debit';

const NOTHING = Decimal.parse('0');

/** The initial values of a payment. */
export const BLANK = {
  status: 'PENDING',
  upi: null,
  mandate_id: null,
  source_ref_id: null,
  failure_code: null,
  submitted_at: null,
  debit_confirmed_at: null,
  failed_at: null,
  transfer_initiated_at: null,
  settled_at: null,
  rejected_at: null,
  late_auth: false,
  event_seq: 0,
  received_amount: NOTHING,
  refunded_amount: NOTHING,
  transfer_reference: null,
  transfer_accepted_at: null,
  refunds: [],
  captures: [],
} as const;

/** The result of a decision: the steps in their order, and the due work. */
export interface Outcome {
  readonly payment: Payment;
  readonly steps: readonly Step[];
  readonly due: readonly DueTask[];
  /** The name of a fact that contradicts the recorded state. It is logged and never overwrites anything (CALL-4). */
  readonly contradiction?: string;
}

export function unchanged(payment: Payment): Outcome {
  return { payment, steps: [], due: [] };
}

export function contradicted(payment: Payment, contradiction: string): Outcome {
  return { payment, steps: [], due: [], contradiction };
}

export function stepped(step: Step, due: readonly DueTask[] = []): Outcome {
  return { payment: step.row, steps: [step], due };
}

/** Chains two decisions: the second decides about the payment as the first left it. */
export function andThen(first: Outcome, decide: (payment: Payment) => Outcome): Outcome {
  return joined(first, decide(first.payment));
}

/** Two outcomes as one: the second was decided about what the first left. */
export function joined<Of extends Outcome>(first: Outcome, second: Of): Of {
  const contradiction = second.contradiction ?? first.contradiction;
  return {
    ...second,
    steps: [...first.steps, ...second.steps],
    due: [...first.due, ...second.due],
    ...(contradiction === undefined ? {} : { contradiction }),
  };
}

export function task(payment: { readonly id: number }, kind: DueKind, due_at: Date): DueTask {
  return { kind, key: String(payment.id), due_at };
}

/** Fails a payment for which no money came. Throws `IllegalTransition` when the payment can no longer fail. */
export function failPayment(
  payment: Payment,
  trigger: 'fail' | 'expire' | 'cancel',
  code: PaymentFailureCode,
  now: Date,
): Outcome {
  return stepped(transition(paymentMachine, payment, trigger, { failed_at: now, failure_code: code }));
}

/** How we end a payment, as opposed to the provider. */
export type Ending = 'expire' | 'cancel';
const ENDINGS = { expire: 'payment_expired', cancel: 'user_cancelled' } as const satisfies Record<
  Ending,
  PaymentFailureCode
>;

/** Expires or cancels a PENDING payment that the provider does not know or has closed. */
export function endPayment(payment: Payment, ending: Ending, now: Date): Outcome {
  return failPayment(payment, ending, ENDINGS[ending], now);
}

/** A change that is not published: an intent before a call, or that the other side has accepted the call. */
export function note(
  payment: Payment,
  amendment: Amendment,
  changes: Changes<Payment, 'status'> = {},
): Outcome {
  return stepped(amended(paymentMachine, payment, amendment, { changes }));
}

/** FAILED and REJECTED payments hold no orders. */
export function isDead(status: PaymentRow['status']): boolean {
  return status === 'FAILED' || status === 'REJECTED';
}

/** Whether an id holds no orders and never will: it is void, or its payment is dead. */
export function holdsNothing({ kind, status }: Holder): boolean {
  return kind === 'void' || (status !== null && isDead(status));
}

/** The payment as GET returns it and events contain it (PAY-17). */
export function toPayment(payment: Payment): PaymentDto {
  // The four refund fields of REF-1 show the latest refund by the provider.
  const latest = payment.refunds.filter((refund) => refund.returned_by === 'provider').at(-1);
  return {
    id: payment.id,
    object: 'payment',
    payment_type: payment.payment_type,
    status: payment.status,
    amount: payment.amount,
    debit_date: payment.debit_date,
    amc_order_ids: payment.orders.map((share) => share.old_id),
    method: payment.method,
    failed_reason: payment.failure_code && failedReason(payment.failure_code),
    failure_code: payment.failure_code,
    created_at: istTimestamp(payment.created_at),
    submitted_at: istTimestamp(payment.submitted_at),
    debit_confirmed_at: istTimestamp(payment.debit_confirmed_at),
    failed_at: istTimestamp(payment.failed_at),
    transfer_initiated_at: istTimestamp(payment.transfer_initiated_at),
    settled_at: istTimestamp(payment.settled_at),
    rejected_at: istTimestamp(payment.rejected_at),
    from_bank_account_id: payment.from_bank_account_id,
    provider_name: payment.provider_name,
    late_auth: payment.late_auth,
    refund_reference: latest?.reference ?? null,
    refund_reason: latest?.reason ?? null,
    refund_status: latest?.status ?? null,
    refund_created_at: istTimestamp(latest?.created_at ?? null),
    refunds: payment.refunds.map(toRefund),
    upi: toUpi(payment),
    mandate_id: payment.mandate_id,
    source_ref_id: payment.source_ref_id,
  };
}

/** The UPI object as answers contain it: PostgreSQL keeps the fields of a JSON value in an order of its own. */
export function toUpi({ upi }: Pick<Payment, 'upi'>): PaymentDto['upi'] {
  return upi && { type: upi.type, vpa: upi.vpa, uri: upi.uri };
}

function toRefund(refund: RefundRow): PaymentDto['refunds'][number] {
  const { reference, amount, reason, status, amc_order_ids } = refund;
  const shown = {
    reference,
    amount,
    reason,
    status,
    created_at: istTimestamp(refund.created_at),
    amc_order_ids,
  };
  return refund.returned_by === 'provider' ? shown : { ...shown, returned_by: 'registrar' };
}
