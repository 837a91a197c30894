import { inRupees, type Holidays } from '@fundrail/contracts';
import { all, html, nothing, type Html } from '@fundrail/service-kit/http';
import type { Payment } from '../../payment/payment.ts';
import { expectedBy, moneyBack, moneyBackByReason, moneyOfAttempt, moneyOfFailure } from './money-of.ts';
import type { MoneyBack, MoneyOfFailure } from './money-of.ts';
import { orderName } from './order-name.view.ts';
import { dayOf, momentOf } from './page-time.ts';
import { postbackStatus } from './postback.ts';
import { failureIn, sayIn, type Language, type Say, type TextKey } from './texts.ts';

/** What a page about an ended payment needs of it. */
export type Ended = Pick<
  Payment,
  | 'id'
  | 'payment_type'
  | 'status'
  | 'amount'
  | 'failure_code'
  | 'created_at'
  | 'debit_confirmed_at'
  | 'failed_at'
  | 'orders'
  | 'refunds'
>;

/** The heading of the page. When money was received, it states what happens to the money. */
export function headingOf(payment: Ended, language: Language): string {
  const say = sayIn(language, payment.payment_type);
  const status = postbackStatus(payment);
  const back = status === 'failure' ? moneyBack(payment.refunds) : null;
  if (!back) return say(status);
  if (back.reason === 'tpv_failed') return say('third_party');
  return say(back.is_back ? 'money_returned' : 'money_returning');
}

/** What happened, and where the money is. */
export function sentencesOf(payment: Ended, language: Language, holidays: Holidays): Html {
  const say = sayIn(language, payment.payment_type);
  switch (postbackStatus(payment)) {
    case 'pending':
      return html`<p>${say('pending_text')}</p>`;
    case 'success':
      return html`<p>${say('success_text', { amount: inRupees(payment.amount) })}</p>
        ${alsoBack(payment, say, language, holidays)}`;
    case 'failure':
      return failureSentences(payment, say, language, holidays);
    default:
      throw new Error('a payment is pending, paid or failed');
  }
}

/** Why an attempt on the page failed, and where the money is. */
export function attemptSentences(
  code: NonNullable<Payment['failure_code']>,
  about: Payment['payment_type'],
  language: Language,
): Html {
  const say = sayIn(language, about);
  if (code === 'tpv_failed' && about !== 'AUTH_TRANSACTION') return html`${say('third_party_attempt')}`;
  return html`${failureIn(language, code, about)} ${say(MONEY[moneyOfAttempt(code).kind])}`;
}

const MONEY = {
  not_taken: 'not_taken',
  perhaps_debited: 'perhaps_debited',
  goes_back: 'money_returning',
} as const satisfies Record<MoneyOfFailure['kind'], TextKey>;

function failureSentences(payment: Ended, say: Say, language: Language, holidays: Holidays): Html {
  const money = moneyOfFailure(payment);
  const why = payment.failure_code
    ? html`<p>${failureIn(language, payment.failure_code, payment.payment_type)}</p>`
    : nothing;
  if (money.kind !== 'goes_back')
    return html`${why}
      <p>${say(MONEY[money.kind])}</p>`;
  const { going, gone } = REASONS[money.reason] ?? { going: 'returning_text', gone: 'returned_text' };
  const amount = inRupees(money.amount);
  return html`<p>${say(money.is_back ? gone : going, { amount, asked: inRupees(payment.amount) })}</p>
    ${refundLines(money, say, language, holidays)}`;
}

/** Why money that was received goes back, for the reasons that an investor has to know. */
const REASONS: Partial<Record<MoneyBack['reason'], { readonly going: TextKey; readonly gone: TextKey }>> = {
  tpv_failed: { going: 'third_party_text', gone: 'third_party_done_text' },
  amount_mismatch: { going: 'other_amount_text', gone: 'other_amount_done_text' },
  late_authorization: { going: 'late_text', gone: 'late_done_text' },
};

/** Money that goes back while the payment succeeded: it was paid twice, or an order failed. */
function alsoBack({ refunds }: Ended, say: Say, language: Language, holidays: Holidays): Html {
  return all(
    moneyBackByReason(refunds).map((back) => {
      const about = back.reason === 'duplicate_payment' ? 'duplicate' : 'part';
      const key = back.is_back ? (`${about}_done_text` as const) : (`${about}_text` as const);
      return html`<p>${say(key, { amount: inRupees(back.amount) })}</p>
        ${refundLines(back, say, language, holidays)}`;
    }),
  );
}

function refundLines(back: MoneyBack, say: Say, language: Language, holidays: Holidays): Html {
  return lines([
    [say('refund_amount'), inRupees(back.amount)],
    [say('refund_reference'), back.reference],
    back.is_back
      ? [say('refund_state'), say('refund_done')]
      : [say('refund_by'), dayOf(expectedBy(back, holidays), language)],
  ]);
}

/** The payment's data, for the investor's records. */
export function receipt(payment: Ended, language: Language): Html {
  const say = sayIn(language, payment.payment_type);
  const at = payment.debit_confirmed_at ?? payment.failed_at ?? payment.created_at;
  const reference = [say('reference'), String(payment.id)] as const;
  const orders = payment.orders.map((order) => [orderName(order, say), inRupees(order.amount)] as const);
  return lines([reference, [say('date'), momentOf(at, language)], ...orders]);
}

function lines(pairs: readonly (readonly [string | Html, string])[]): Html {
  return html`<dl>
    ${all(
      pairs.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      ),
    )}
  </dl>`;
}
