import { NO_FUNDS } from '../../apps/simulator/src/debit/debit.ts';
import { REGISTRAR_REFUSES, REVIEW_FAILS } from '../../apps/simulator/src/gateway-order/gateway-order.ts';
import { UNLUCKY_NUMBER } from '../../apps/simulator/src/gateway-plan/gateway-plan.ts';
import { COLLECT_PAYERS, UNKNOWN_VPA } from '../../apps/simulator/src/provider-payment/collect.ts';
import {
  MANDATE_OUTCOMES,
  MODIFIED,
  ORDER_OUTCOMES,
  PAYMENT_OUTCOMES,
  PAYING_ACCOUNTS,
} from '../../apps/simulator/src/simulate/simulate.dto.ts';
import { BANKS } from '../../apps/payments/src/collection/checkout-page/banks.ts';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `What decides a result in the sandbox. Nothing here has an effect in production. An amount ending is the last digit of the
whole rupees: ₹5,001 and ₹5,001.50 end in ${REGISTRAR_REFUSES}. Words of the simulate routes may be written in any letter case.`;

const PAYMENT_WORDS: Readonly<Record<(typeof PAYMENT_OUTCOMES)[number], string>> = {
  SUCCESS: 'the investor pays; of a payment that has FAILED, a late success, which is refunded',
  FAILED: 'the payment fails; `failure_code` may be any of the [failure codes](failure-codes.md)',
  TRANSFER_REJECTED: 'the transfer of the money to the fund is rejected, with `failure_code` if it is given',
  PAID_AGAIN: 'a paid payment is paid a second time, which is refunded',
  OPTED_OUT: 'the investor refuses this debit of a UPI mandate, and keeps the mandate',
};
const ACCOUNT_WORDS: Readonly<Record<(typeof PAYING_ACCOUNTS)[number], string>> = {
  investor: "the money comes from the investor's account; the default",
  third_party: "the money comes from another person's account and is refunded",
};
const MANDATE_WORDS: Readonly<Record<(typeof MANDATE_OUTCOMES)[number] | typeof MODIFIED, string>> = {
  RECEIVED: 'the investor has authorised; the bank has the request',
  SUBMITTED: 'the bank works on it',
  APPROVED: 'the bank has approved: the mandate can be debited',
  REJECTED: 'the bank refuses the mandate',
  PAUSED: 'the investor pauses it in the UPI app',
  ACTIVE: 'the investor ends the pause',
  CANCELLED: 'the investor cancels it at the issuer',
  MODIFIED: 'the investor changes `mandate_limit` or `valid_to` at the issuer',
};
const ORDER_WORDS: Readonly<Record<(typeof ORDER_OUTCOMES)[number], string>> = {
  successful: 'the registrar has processed the order',
  failed: 'the registrar refuses it, with `failure_code` if it is given',
  reversed: 'the registrar reverses a successful order',
};

/** `docs/guides/test-data.md`: everything that decides a result in the sandbox, from the tables of the simulator. */
export function testDataPage(): string {
  const amounts = [
    [
      'an order',
      REGISTRAR_REFUSES,
      'the registrar refuses it once the money has arrived, and the money goes back',
    ],
    ['an order', REVIEW_FAILS, 'the review refuses it'],
    ['a debit of a mandate', NO_FUNDS, 'fails with `insufficient_funds`'],
  ] as const;
  const rows: (readonly [of: string, value: string, result: string])[] = [
    ...amounts.map(([of, digit, result]) => [`amount of ${of}`, `ends in ${digit}`, result] as const),
    ['amount of an order or a debit', 'any other ending', 'succeeds'],
    ['`number_of_installments` of a plan', String(UNLUCKY_NUMBER), 'the plan fails its review'],
    ...[...COLLECT_PAYERS].map(
      ([vpa, answer]) => ['`upi.vpa`, collect', `\`${vpa}\``, collected(answer)] as const,
    ),
    ['`upi.vpa`, collect', `\`${UNKNOWN_VPA}\``, 'the UPI ID does not exist: `invalid_upi_id`'],
    ['`upi.vpa`, collect', 'any other', 'waits for `/sandbox/upi/<payment id>` or the simulate route'],
    [
      'bank of net banking',
      BANKS.map(([code]) => `\`${code}\``).join(' '),
      "opens the simulated bank's page, where you approve or decline",
    ],
    ...wordsOf('`/api/pg/simulate/payments/:id`', PAYMENT_OUTCOMES, PAYMENT_WORDS),
    ...wordsOf('the same, `payer` beside `SUCCESS`', PAYING_ACCOUNTS, ACCOUNT_WORDS),
    ...wordsOf('`/api/pg/simulate/mandates/:id`', [...MANDATE_OUTCOMES, MODIFIED], MANDATE_WORDS),
    ...wordsOf('`/api/oms/simulate/orders/:old_id`', ORDER_OUTCOMES, ORDER_WORDS),
  ];
  return ['# Test data of the sandbox', GENERATED, INTRODUCTION, table(['Of', 'Value', 'Result'], rows)].join(
    '\n\n',
  );
}

type CollectAnswer = typeof COLLECT_PAYERS extends ReadonlyMap<string, infer A> ? A : never;

function collected(answer: CollectAnswer): string {
  if (answer === null) return 'never answers: the request expires';
  const when =
    answer.afterMs === 0
      ? 'immediately'
      : `${answer.afterMs / 60_000} minutes later, when the request has expired`;
  return answer.does === 'pay' ? `pays ${when}` : `declines ${when}`;
}

function wordsOf<W extends string>(of: string, words: readonly W[], results: Readonly<Record<W, string>>) {
  return words.map((word) => [of, `\`${word}\``, results[word]] as const);
}
