import type { PaymentFailureCode } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { IllegalTransition } from '@fundrail/state-machines';
import { capture, type ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { reportToken } from '../sdkvendor/sdk-token.ts';
import { nextProviderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { stepMandate, type MandateRow, type MandateStep } from './mandate.ts';
import { drawNames } from './draw-names.ts';
import { lockMandate, reportAuthorisation, reportMandate } from './save-authorisation.ts';

const REFUSED = 'The bank refused the mandate';

/**
 * Performs one step of the investor or the bank with a mandate, and stores the callback that reports it. `code` is the bank's reason for
 * a refusal. Locks the authorisation's row first. Throws `IllegalTransition` for a step that is not possible now.
 */
export async function actOnMandate(
  tx: Tx,
  reference: string,
  step: MandateStep,
  code: PaymentFailureCode = 'investor_bank_declined',
): Promise<void> {
  const payment = await store.payments.lock(tx, { reference });
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
  await store.mandates.save(tx, next);
  if (step === 'pause' || step === 'resume' || step === 'revoke') return reportMandate(tx, next, step);
  const answered = await answer(tx, payment, mandate, step);
  const reported =
    step === 'reject' ? { ...answered, failure_code: code, failure_message: REFUSED } : answered;
  await store.payments.save(tx, reported);
  // Razorpay has already reported the payment. The bank's response is about the token only.
  if (next.provider === 'sdkvendor' && payment.status === 'captured') return reportToken(tx, next, step);
  await reportAuthorisation(tx, reported, { mandate: next, step });
}

/** The investor has agreed by now. After the request has expired, only an approval is possible. */
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
