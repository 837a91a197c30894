import type { Tx } from '@fundrail/persistence';
import { paymentReference } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import { recordCallback } from '../callback/callback.repository.ts';
import { store } from '../store/simulator.tables.ts';

/**
 * The payer refuses the debit that a notice of gatewaypoa announced, and keeps the mandate. False when the investor was not notified of such a
 * payment. Throws `IllegalTransition` for a second refusal, and once an attempt was accepted.
 */
export async function optOut(tx: Tx, tenant: string, payment_id: number): Promise<boolean> {
  const payment_reference = paymentReference(payment_id);
  const notices = await store.notices.list(tx, { payment_reference, tenant }, 't.sent_at');
  const latest = notices.at(-1);
  const mandate = latest && (await store.mandates.lock(tx, { token: latest.mandate_token }));
  if (!latest || mandate?.provider !== 'gatewaypoa') return false;
  // Read again under the lock of the mandate, which an execution holds too.
  const notice = (await store.notices.lock(tx, { notice_reference: latest.notice_reference })) ?? latest;
  const accepted = { payment_reference, status: ['processing', 'captured'] } as const;
  if (await store.debits.find(tx, accepted))
    throw new IllegalTransition('gatewaypoa debit', 'executed', 'opt_out', 'opted out');
  if (notice.opted_out) throw new IllegalTransition('gatewaypoa notice', 'opted out', 'opt_out', 'opted out');
  await store.notices.save(tx, { ...notice, opted_out: true });
  const object = { reference: notice.reference, payment_reference, status: 'opted_out' };
  const about = { tenant, topic: 'payments', event: 'notice.updated', reference: payment_reference } as const;
  await recordCallback(tx, { ...about, object });
  return true;
}
