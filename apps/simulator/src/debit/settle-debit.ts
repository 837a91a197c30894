import type { Tx } from '@fundrail/persistence';
import { recordCallback } from '../callback/callback.repository.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { settleAttempt } from '../sdkvendor/settle-attempt.ts';
import { store } from '../store/simulator.tables.ts';
import { endDebit, toDebitObject } from './debit.ts';

/** Ends the attempt as its debit's payment ended, and stores the callback that reports it. The caller holds the payment's lock. */
export async function settleDebit(tx: Tx, payment: ProviderPaymentRow): Promise<void> {
  if (payment.provider === 'sdkvendor') return settleAttempt(tx, payment);
  const { tenant, reference } = payment;
  const attempts = await store.debits.list(tx, { payment_reference: reference }, 't.number');
  const ended = endDebit(attempts, payment);
  await store.debits.save(tx, ended);
  const object = toDebitObject(ended);
  await recordCallback(tx, { tenant, topic: 'payments', event: 'debit.updated', reference, object });
}
