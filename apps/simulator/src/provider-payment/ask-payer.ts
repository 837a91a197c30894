import type { Tx } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { collectAnswer } from './collect.ts';
import type { ProviderPaymentRow } from './provider-payment.ts';

/** Due kind of the payer's response to a collect request; the key is the payment's reference. */
export const ANSWER_COLLECT = 'answer_collect';

/** Schedules the payer's response to a collect request, as the VPA defines. Does nothing for a payment by URI. */
export async function askPayer(tx: Tx, { vpa, reference, tenant }: ProviderPaymentRow): Promise<void> {
  const answer = vpa === null ? null : collectAnswer(vpa);
  if (!answer) return;
  const due_at = new Date(tx.now.getTime() + answer.afterMs);
  await scheduleDue(tx, { kind: ANSWER_COLLECT, key: reference, tenant, due_at });
}
