import type { PaymentFailureCode } from '@fundrail/contracts';
import type { Tx } from '@fundrail/service-kit/db';
import { IllegalTransition } from '@fundrail/state-machines';
import { capture } from '../provider-payment/provider-payment.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import {
  lockPayment,
  nextProviderReference,
  updatePayment,
} from '../provider-payment/provider-payment.repository.ts';
import { tellToken } from '../sdkvendor/sdk-token.ts';
import { stepMandate } from './mandate.ts';
import type { MandateRow, MandateStep } from './mandate.ts';
import { drawNames, lockMandate, updateMandate } from './mandate.repository.ts';
import { tellAuthorisation, tellMandate } from './save-authorisation.ts';

const REFUSED = 'The bank refused the mandate';

/**
 * One step of investor or bank with a mandate, and the callback that tells of it. `code` is why a bank refuses. Locks the
 * authorisation's row first. Throws `IllegalTransition` for a step that is not open.
 */
export async function actOnMandate(
  tx: Tx,
  reference: string,
  step: MandateStep,
  code: PaymentFailureCode = 'investor_bank_declined',
): Promise<void> {
  const payment = await lockPayment(tx, reference);
  if (!payment) throw new Error(`${reference} has no authorisation`);
  const mandate = await lockMandate(tx, reference);
  if (step === 'receive' && mandate.provider === 'sdkvendor')
    throw new IllegalTransition(
      'sdkvendor mandate',
      mandate.status,
      step,
      'received, which Razorpay does not know',
    );
  const next = stepMandate(mandate, step, drawNames(mandate));
  await updateMandate(tx, next);
  if (step === 'pause' || step === 'resume' || step === 'revoke') return tellMandate(tx, next, step);
  const answered = await answer(tx, payment, mandate, step);
  const told = step === 'reject' ? { ...answered, failure_code: code, failure_message: REFUSED } : answered;
  await updatePayment(tx, told);
  // Razorpay has told of the payment before; what the bank says now is about the token alone.
  if (next.provider === 'sdkvendor' && payment.status === 'captured') return tellToken(tx, next, step);
  await tellAuthorisation(tx, told, next, step);
}

/** The investor has agreed by now; only an approval may come when the request is over. */
async function answer(
  tx: Tx,
  payment: ProviderPaymentRow,
  mandate: MandateRow,
  step: MandateStep,
): Promise<ProviderPaymentRow> {
  if (mandate.status !== 'unauthorised') return payment;
  if (payment.status !== 'awaiting_payer' && step !== 'approve')
    throw new IllegalTransition(`${mandate.provider} authorisation`, payment.status, step, 'authorised');
  return capture(payment, await nextProviderReference(tx));
}
