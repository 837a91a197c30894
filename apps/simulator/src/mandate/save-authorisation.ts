import type { Tx } from '@fundrail/persistence';
import { recordCallback } from '../callback/callback.repository.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { reportToken } from '../sdkvendor/sdk-token.ts';
import { settleAttempt } from '../sdkvendor/settle-attempt.ts';
import { store } from '../store/simulator.tables.ts';
import { stepMandate, toAuthorisationObject, toMandateObject } from './mandate.ts';
import type { MandateRow, MandateStep } from './mandate.ts';
import { drawNames } from './draw-names.ts';

/**
 * Applies the investor's response, which is the status of the payment's row. An approved authorisation becomes an active mandate. This
 * transaction has stored the row and holds its lock.
 */
export async function settleAuthorisation(
  tx: Tx,
  payment: ProviderPaymentRow,
  attemptId?: string,
): Promise<void> {
  const mandate = await lockMandate(tx, payment.reference);
  if (payment.status !== 'captured')
    return reportAuthorisation(tx, payment, { mandate, step: 'reject' }, attemptId);
  const active = stepMandate(mandate, 'approve', drawNames(mandate));
  await store.mandates.save(tx, active);
  await reportAuthorisation(tx, payment, { mandate: active, step: 'approve' }, attemptId);
}

/** Stores the callback about a changed authorisation. Razorpay reports the payment and the token separately. */
export async function reportAuthorisation(
  tx: Tx,
  payment: ProviderPaymentRow,
  { mandate, step }: { readonly mandate: MandateRow; readonly step: MandateStep },
  attemptId?: string,
): Promise<void> {
  if (payment.provider === 'sdkvendor') {
    await settleAttempt(tx, payment, attemptId);
    if (payment.status === 'captured') await reportToken(tx, mandate, step);
    return;
  }
  const { tenant, reference } = payment;
  const object = toAuthorisationObject(payment, mandate);
  await recordCallback(tx, { tenant, topic: 'payments', event: 'authorisation.updated', reference, object });
}

/** Lock the authorisation's payment row first. */
export async function lockMandate(tx: Tx, reference: string): Promise<MandateRow> {
  const row = await store.mandates.lock(tx, { reference });
  if (!row) throw new Error(`${reference} has no mandate`);
  return row;
}

/** Stores the callback about a mandate that the investor or the bank has changed after its authorisation. */
export async function reportMandate(tx: Tx, mandate: MandateRow, step: MandateStep): Promise<void> {
  if (mandate.provider === 'sdkvendor') return reportToken(tx, mandate, step);
  await reportGatewaypoa(tx, mandate);
}

/** The callback of gatewaypoa about a mandate as it is now. */
export async function reportGatewaypoa(tx: Tx, mandate: MandateRow): Promise<void> {
  const object = toMandateObject(mandate, tx.now);
  if (!object) throw new Error(`${mandate.reference} is not authorised`);
  const { tenant } = mandate;
  const reference = object.mandate_token;
  await recordCallback(tx, { tenant, topic: 'mandates', event: 'mandate.updated', reference, object });
}
