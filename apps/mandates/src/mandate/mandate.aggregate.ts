import { Aggregate, obsolete, rowsOf, type DueChange } from '@fundrail/service-kit/aggregate';
import type { Decision } from '@fundrail/state-machines';
import { MANDATES } from './mandate.table.ts';
import { expiryOf, MANDATE_DUE, toMandate, type Mandate } from './mandate.ts';

/** Every change of a mandate, and every call of a debit, locks the mandate first. */
export const MANDATE = new Aggregate<Mandate>({
  rows: rowsOf(MANDATES, '(tenant, source_ref_id) WHERE source_ref_id IS NOT NULL'),
  history: {
    table: 'mandate_history',
    of: ({ row, from }) => ({ mandate_id: row.id, from_status: from, to_status: row.mandate_status }),
  },
  toDto: toMandate,
  due: (steps, { now }) => steps.flatMap((step) => dueAfter(step, now)),
});

/** An approved mandate gets its expiry as due work, and another one when its last day changes. A mandate that has ended needs neither an expiry nor a status question, and its debits end. */
function dueAfter({ row, trigger }: Decision<Mandate>, now: Date): DueChange[] {
  const { expire, status, endDebits } = MANDATE_DUE;
  if (trigger === 'approve' || trigger === 'modify') return [{ kind: expire, due_at: expiryOf(row) }];
  if (trigger !== 'cancel' && trigger !== 'expire') return [];
  return [obsolete(expire), obsolete(status), { kind: endDebits, due_at: now }];
}
