import type { Tx } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { collectAnswer } from './collect.ts';
import type { ProviderPaymentRow } from './provider-payment.ts';
import { ANSWER_COLLECT } from './provider-payment.repository.ts';

/** Schedules the payer's response to a collect request, as the VPA defines. Does nothing for a payment by URI. */
export async function askPayer(tx: Tx, { vpa, reference, tenant }: ProviderPaymentRow): Promise<void> {
  const answer = vpa === null ? null : collectAnswer(vpa);
  if (!answer) return;
  const due_at = new Date(tx.now.getTime() + answer.afterMs);
  await scheduleDue(tx, { kind: ANSWER_COLLECT, key: reference, tenant, due_at });
}
