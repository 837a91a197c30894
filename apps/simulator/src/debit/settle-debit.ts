import type { Tx } from '@fundrail/service-kit/db';
import { recordCallback } from '../callback/callback.repository.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { settleAttempt } from '../sdkvendor/settle-attempt.ts';
import { endDebit, toDebitObject } from './debit.ts';
import { debitsOfPayment, updateDebit } from './debit.repository.ts';

/** What became of a debit's payment becomes its attempt's end, and a callback tells of it. The payment's row is locked. */
export async function settleDebit(tx: Tx, payment: ProviderPaymentRow): Promise<void> {
  if (payment.provider === 'sdkvendor') return settleAttempt(tx, payment);
  const { tenant, reference } = payment;
  const ended = endDebit(await debitsOfPayment(tx, reference), payment);
  await updateDebit(tx, ended);
  const object = toDebitObject(ended);
  await recordCallback(tx, { tenant, topic: 'payments', event: 'debit.updated', reference, object });
}
