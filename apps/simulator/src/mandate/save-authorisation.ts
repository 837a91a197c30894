import type { Tx } from '@fundrail/service-kit/db';
import { recordCallback } from '../callback/callback.repository.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { tellToken } from '../sdkvendor/sdk-token.ts';
import { settleAttempt } from '../sdkvendor/settle-attempt.ts';
import { stepMandate, toAuthorisationObject, toMandateObject } from './mandate.ts';
import type { MandateRow, MandateStep } from './mandate.ts';
import { drawNames, lockMandate, updateMandate } from './mandate.repository.ts';

/**
 * The investor has answered, as the payment's row says: what was approved becomes a mandate that is active. The row is
 * stored and locked by this transaction.
 */
export async function settleAuthorisation(
  tx: Tx,
  payment: ProviderPaymentRow,
  attemptId?: string,
): Promise<void> {
  const mandate = await lockMandate(tx, payment.reference);
  if (payment.status !== 'captured') return tellAuthorisation(tx, payment, mandate, 'reject', attemptId);
  const active = stepMandate(mandate, 'approve', drawNames(mandate));
  await updateMandate(tx, active);
  await tellAuthorisation(tx, payment, active, 'approve', attemptId);
}

/** Notes the callback about an authorisation that has moved. Razorpay tells the payment and the token apart. */
export async function tellAuthorisation(
  tx: Tx,
  payment: ProviderPaymentRow,
  mandate: MandateRow,
  step: MandateStep,
  attemptId?: string,
): Promise<void> {
  if (payment.provider === 'sdkvendor') {
    await settleAttempt(tx, payment, attemptId);
    if (payment.status === 'captured') await tellToken(tx, mandate, step);
    return;
  }
  const { tenant, reference } = payment;
  const object = toAuthorisationObject(payment, mandate);
  await recordCallback(tx, { tenant, topic: 'payments', event: 'authorisation.updated', reference, object });
}

/** Notes the callback about a mandate that the investor or the bank has changed after its authorisation. */
export async function tellMandate(tx: Tx, mandate: MandateRow, step: MandateStep): Promise<void> {
  if (mandate.provider === 'sdkvendor') return tellToken(tx, mandate, step);
  const object = toMandateObject(mandate, tx.now);
  if (!object) throw new Error(`${mandate.reference} is not authorised`);
  const { tenant } = mandate;
  const reference = object.mandate_token;
  await recordCallback(tx, { tenant, topic: 'mandates', event: 'mandate.updated', reference, object });
}
