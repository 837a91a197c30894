import { Database } from '@fundrail/service-kit/db';
import { checkOf, findings, numbersIn, RowsCheck, type Finding } from '@fundrail/service-kit/reconciliation';
import { AskAgain } from './ask-again.ts';
import { accountsOf, pageOfPayments, type Account } from './standing.repository.ts';

const PAID = new Set<Account['status']>(['SUCCESS', 'INITIATED', 'APPROVED']);

/**
 * Checks what each payment received and refunded: a paid one keeps at most its amount, any other keeps nothing. It has no other side:
 * both numbers are in the payment's own rows.
 */
export const accountsCheck = checkOf(RowsCheck<Pick<Account, 'id'>>, [Database, AskAgain], (db, ask) => ({
  name: 'accounts',
  rows: (after, { from }) => pageOfPayments(db, Number(after), from),
  placeOf: ({ id }) => id,
  named: (found) => Promise.resolve(numbersIn(found).map((id) => ({ id }))),
  compare: async (payments) => {
    const ids = payments.map(({ id }) => id);
    return (await accountsOf(db, ids)).flatMap(difference);
  },
  repair: ({ object }) => ask.aboutPayment(Number(object)),
}));

function difference(account: Account): Finding[] {
  const { id, tenant, status, amount, received_amount, refunded_amount, captured } = account;
  const left = received_amount.minus(refunded_amount);
  const most = PAID.has(status) ? amount : amount.minus(amount);
  const isOff = captured.compare(received_amount) !== 0 || left.compare(most) > 0;
  const facts = {
    payment_status: status,
    amount: amount.toString(),
    captured: captured.toString(),
    received: received_amount.toString(),
    refunded: refunded_amount.toString(),
  };
  return findings({ object: String(id), tenant, facts }, { money_not_accounted: isOff && {} });
}
