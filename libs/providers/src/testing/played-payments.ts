import type { ProviderPayment } from '../provider-payment.ts';
import { newPayment, type PaymentStage } from './conformance-stage.ts';

/** A payment whose payer has its URI. */
export async function issued(
  stage: PaymentStage,
  parts: Partial<ProviderPayment> = {},
): Promise<ProviderPayment> {
  const payment = newPayment(parts);
  expect(await stage.payments.issueUpiUri(payment)).toMatchObject({ kind: 'yes' });
  return payment;
}

export async function paid(
  stage: PaymentStage,
  parts: Partial<ProviderPayment> = {},
): Promise<ProviderPayment> {
  const payment = await issued(stage, parts);
  await stage.pay(payment.payment_id);
  return payment;
}
