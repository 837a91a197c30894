import { appendEvents, eventsOf } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { cancelDue, scheduleDue } from '@fundrail/service-kit/due';
import type { Decision } from '@fundrail/state-machines';
import { MANDATE_DUE } from './mandate.ts';
import { appendHistory, saveMandate } from './mandate.repository.ts';
import { expiryOf, toMandate, type Mandate } from './mandate.ts';

/** Records a step of a mandate that this transaction has locked: the row, its history, its event, and the work that falls due. */
export async function recordStep(tx: Tx, before: Mandate, step: Decision<Mandate>): Promise<void> {
  await saveMandate(tx, step.row);
  await announce(tx, before, step);
}

/** Records the creation of a mandate that this transaction has inserted. */
export async function recordCreation(tx: Tx, step: Decision<Mandate>): Promise<void> {
  await announce(tx, null, step);
}

async function announce(tx: Tx, before: Mandate | null, decision: Decision<Mandate>): Promise<void> {
  const { row } = decision;
  await appendHistory(tx, decision);
  await appendEvents(
    tx,
    eventsOf({ decision, before, aggregateId: String(row.id), toObject: toMandate, now: tx.now }),
  );
  await reschedule(tx, decision);
}

/** An approved mandate gets its expiry as due work. A mandate that has ended needs neither an expiry nor a status question, and its debits end. */
async function reschedule(tx: Tx, { row, trigger }: Decision<Mandate>): Promise<void> {
  const key = String(row.id);
  if (trigger === 'approve')
    await scheduleDue(tx, { kind: MANDATE_DUE.expire, key, tenant: row.tenant, due_at: expiryOf(row) });
  if (trigger === 'cancel' || trigger === 'expire') {
    await cancelDue(tx, MANDATE_DUE.expire, key);
    await cancelDue(tx, MANDATE_DUE.status, key);
    await scheduleDue(tx, { kind: MANDATE_DUE.endDebits, key, tenant: row.tenant, due_at: tx.now });
  }
}
