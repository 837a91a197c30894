import { Decimal, type PaymentFailureCode } from '@fundrail/contracts';
import type { z } from 'zod';
import { notSent, type WireAnswer } from '../../http-caller.ts';
import { mapYes, notUnderstood, type Answer } from '../../answer.ts';
import type { AuthorisationStatus, DebitNotice, MandateState } from '../../mandate-ports.ts';
import type { PaymentCallback } from '../../ports.ts';
import type { ProviderPaymentStatus, RefundStatus } from '../../provider-payment.ts';
import { problem } from './wire.ts';
import type { CallbackBody, Charge, Giveback, Notice, Standing, Token } from './wire.ts';

const CODES: ReadonlyMap<string, PaymentFailureCode> = new Map([
  ['no_such_vpa', 'invalid_upi_id'],
  ['too_little_money', 'insufficient_funds'],
  ['said_no', 'user_cancelled'],
  ['not_the_payers_account', 'tpv_failed'],
  ['bank_said_no', 'investor_bank_declined'],
  ['not_running', 'mandate_cancelled'],
  ['above_the_limit', 'mandate_limit_exceeded'],
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

/** Whether it was done. Its own word for a refusal is ours. */
export function inItsWords(answer: Answer<unknown, PaymentFailureCode>): Answer<null> {
  return answer.kind === 'no' ? { ...answer, failure_code: answer.message } : mapYes(answer, () => null);
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
      return wire satisfies never;
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
      return state satisfies never;
  }
}

export function toAuthorisationStatus({ state, token, reference, why }: Standing): AuthorisationStatus {
  const names = { mandate_token: token ?? '', provider_id: null, umrn: null };
  switch (state) {
    case 'open':
      return { status: 'waiting' };
    case 'taken':
      return { status: 'submitted', ...names };
    case 'agreed':
      return { status: 'approved', provider_reference: reference, ...names };
    case 'refused':
      return { status: 'failed', failure_code: failureCodeOf(why), message: why };
    case 'void':
      return { status: 'failed', failure_code: 'user_cancelled', message: 'It was taken back' };
    case 'dead':
      return { status: 'rejected', failure_code: 'investor_bank_declined', message: 'The bank refused it' };
    default:
      return state satisfies never;
  }
}

const STATES = { running: 'active', resting: 'paused', ended: 'cancelled' } as const;

export function toMandateState({ state }: Token): MandateState['status'] {
  return STATES[state];
}

export function toNotice({ notice, paise, at, words }: Notice): DebitNotice {
  const proof = JSON.stringify({ notice, paise, at, words });
  const amount = Decimal.ofPaise(paise);
  return { notice_reference: notice, proof, amount, execute_at: new Date(at), sent_at: null };
}

/** What a callback says. */
export function toFact(body: CallbackBody): PaymentCallback['fact'] {
  if ('giveback' in body) return { about: 'refund', refund: toRefundStatus(body.giveback) };
  if ('standing' in body)
    return { about: 'authorisation', authorisation: toAuthorisationStatus(body.standing) };
  if ('token' in body)
    return { about: 'mandate', mandate_token: body.token.token, state: toMandateState(body.token) };
  const payment = toPaymentStatus(body.charge);
  const { attempt } = body;
  return attempt === undefined
    ? { about: 'payment', payment }
    : { about: 'debit', attempt_reference: attempt, payment };
}
