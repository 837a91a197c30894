import type { Tx } from '@fundrail/service-kit/db';
import { recordCallback } from '../callback/callback.repository.ts';
import { settleDebit } from '../debit/settle-debit.ts';
import { settleAuthorisation } from '../mandate/save-authorisation.ts';
import { settleAttempt } from '../sdkvendor/settle-attempt.ts';
import { toPaymentObject } from './provider-payment.ts';
import type { ProviderPaymentRow } from './provider-payment.ts';
import { updatePayment } from './provider-payment.repository.ts';

/**
 * Stores a payment's step and notes the callback of its provider that tells of it. The row is locked by this transaction.
 * `attemptId` is the attempt under sdkvendor's order that was answered, where it is known.
 */
export async function savePayment(tx: Tx, row: ProviderPaymentRow, attemptId?: string): Promise<void> {
  await updatePayment(tx, row);
  if (row.kind === 'authorisation') return settleAuthorisation(tx, row, attemptId);
  if (row.kind === 'debit') return settleDebit(tx, row);
  if (row.provider === 'sdkvendor') return settleAttempt(tx, row, attemptId);
  const { tenant, reference } = row;
  const object = toPaymentObject(row);
  await recordCallback(tx, { tenant, topic: 'payments', event: 'payment.updated', reference, object });
}
