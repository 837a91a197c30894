import type { Decimal } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { IllegalTransition } from '@fundrail/state-machines';
import { store } from '../store/simulator.tables.ts';
import { hasExpired } from './mandate.ts';
import { reportGatewaypoa } from './save-authorisation.ts';

/** What the payer may change at the issuer. */
interface ChangedTerms {
  readonly mandate_limit?: Decimal | null | undefined;
  readonly valid_to?: string | null | undefined;
}

/**
 * The payer changes the limit or the last day of an active mandate of gatewaypoa at the issuer, which reports it. Throws `IllegalTransition`
 * for a mandate in another state, and when nothing changes.
 */
export async function changeTerms(tx: Tx, reference: string, asked: ChangedTerms): Promise<void> {
  const row = await store.mandates.lock(tx, { reference });
  if (!row) throw new Error(`${reference} has no mandate`);
  const max_amount = asked.mandate_limit ?? row.max_amount;
  const valid_to = asked.valid_to ?? row.valid_to;
  const isSame = max_amount.equals(row.max_amount) && valid_to === row.valid_to;
  const isOpen = row.provider === 'gatewaypoa' && row.status === 'active' && !hasExpired(row, tx.now);
  if (!isOpen || isSame || valid_to < row.valid_from)
    throw new IllegalTransition(`${row.provider} mandate`, row.status, 'modify', 'modified');
  const changed = { ...row, max_amount, valid_to };
  await store.mandates.save(tx, changed);
  await reportGatewaypoa(tx, changed);
}
