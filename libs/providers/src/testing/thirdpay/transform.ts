import type { PaymentFailureCode } from '@fundrail/contracts';
import type { z } from 'zod';
import { notSent, type WireAnswer } from '../../http-caller.ts';
import type { Answer } from '../../answer.ts';
import type { ProviderPaymentStatus, RefundStatus } from '../../provider-payment.ts';
import { impossible } from '../../impossible.ts';
import { problem, type Charge, type Giveback } from './wire.ts';

const CODES: ReadonlyMap<string, PaymentFailureCode> = new Map([
  ['no_such_vpa', 'invalid_upi_id'],
  ['too_little_money', 'insufficient_funds'],
  ['said_no', 'user_cancelled'],
  ['not_the_payers_account', 'tpv_failed'],
]);

export function failureCodeOf(why: string): PaymentFailureCode {
  return CODES.get(why) ?? 'payment_failed';
}

/** 2xx that fits → yes; 404 → not found; 422 with a problem → its own no; all else → unknown, by the rules of GATE-12. */
export function answerOf<S extends z.ZodType>(
  answer: WireAnswer,
  schema: S,
): Answer<z.output<S>, PaymentFailureCode> {
  if (answer.kind === 'not_sent') return notSent(answer);
  if (answer.kind === 'silence') return { kind: 'unknown', why: 'no_answer', detail: answer.detail };
  const { status, body } = answer;
  if (status === 404) return { kind: 'not_found' };
  if (status >= 500) return { kind: 'unknown', why: 'no_answer', detail: `status ${status}` };
  const refused = status === 422 ? problem.safeParse(body) : null;
  if (refused?.success) {
    const { problem: why } = refused.data;
    return { kind: 'no', failure_code: failureCodeOf(why), message: why };
  }
  const parsed = status < 300 ? schema.safeParse(body) : null;
  return parsed?.success ? { kind: 'yes', value: parsed.data } : notUnderstood(`status ${status}`);
}

export function notUnderstood(detail: string): { kind: 'unknown'; why: 'not_understood'; detail: string } {
  return { kind: 'unknown', why: 'not_understood', detail };
}

export function mapYes<A, B, C extends string>(answer: Answer<A, C>, map: (value: A) => B): Answer<B, C> {
  return answer.kind === 'yes' ? { kind: 'yes', value: map(answer.value) } : answer;
}

export function toPaymentStatus(wire: Charge): ProviderPaymentStatus {
  switch (wire.state) {
    case 'open':
      return { status: 'waiting' };
    case 'paid': {
      const money = { amount: wire.rupees, currency: 'INR' };
      const [provider_reference, ...more] = wire.receipts;
      const others = more.map((receipt) => ({ provider_reference: receipt, ...money }));
      return { status: 'captured', provider_reference, ...money, ...(others.length > 0 && { others }) };
    }
    case 'refused':
      return { status: 'failed', failure_code: failureCodeOf(wire.why), message: wire.why };
    case 'void':
      return { status: 'failed', failure_code: 'user_cancelled', message: 'The charge was taken back' };
    default:
      return impossible(wire);
  }
}

export function toRefundStatus({ state }: Giveback): RefundStatus {
  switch (state) {
    case 'going':
      return { status: 'waiting' };
    case 'gone':
      return { status: 'successful' };
    case 'refused':
      return { status: 'failed', failure_code: 'refund_failed' };
    default:
      return impossible(state);
  }
}
