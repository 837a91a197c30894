import type { Tx } from '@fundrail/persistence';
import { recordCallback } from '../callback/callback.repository.ts';
import { settleDebit } from '../debit/settle-debit.ts';
import { settleAuthorisation } from '../mandate/save-authorisation.ts';
import { settleAttempt } from '../sdkvendor/settle-attempt.ts';
import { store } from '../store/simulator.tables.ts';
import { toPaymentObject, type ProviderPaymentRow } from './provider-payment.ts';

/**
 * Stores a payment's step and the provider's callback that reports it. This transaction holds the row's lock. `attemptId` is the attempt
 * of sdkvendor's order that ended, if known.
 */
export async function savePayment(tx: Tx, row: ProviderPaymentRow, attemptId?: string): Promise<void> {
  await store.payments.save(tx, row);
  if (row.kind === 'authorisation') return settleAuthorisation(tx, row, attemptId);
  if (row.kind === 'debit') return settleDebit(tx, row);
  if (row.provider === 'sdkvendor') return settleAttempt(tx, row, attemptId);
  const { tenant, reference } = row;
  const object = toPaymentObject(row);
  await recordCallback(tx, { tenant, topic: 'payments', event: 'payment.updated', reference, object });
}
