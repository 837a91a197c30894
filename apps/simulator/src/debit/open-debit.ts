import type { Decimal } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { takeFault } from '../fault/fault.repository.ts';
import { awaitPayer, reopenPayment, type ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { store } from '../store/simulator.tables.ts';

/** Due kind of the bank's answer to a debit; the key is the payment's reference. */
export const ANSWER_DEBIT = 'answer_debit';

// "The result may take 36 h": after that the simulator stops waiting for the bank, too.
const DEBIT_LIVES_MS = 36 * 3_600_000;
const DEFAULT_DELAY_MS = 6_000;

/** What the bank needs for an attempt. `execute_at` is ISO 8601, business time. */
interface OpenedDebit {
  readonly provider: ProviderPaymentRow['provider'];
  readonly payment_reference: string;
  readonly payment_id: number | null;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly execute_at: string;
}

/**
 * Stores the payment of a started attempt. It waits for the bank, which responds at the time of execution. With the fault `debit_result`,
 * the bank responds later (`delay`, business time) or only when a test simulates it (`drop`).
 */
export async function openDebit(
  tx: Tx,
  debit: OpenedDebit,
  payment: ProviderPaymentRow | null,
): Promise<void> {
  const executeAt = new Date(Math.max(tx.now.getTime(), new Date(debit.execute_at).getTime()));
  const until = new Date(executeAt.getTime() + DEBIT_LIVES_MS);
  const again = { upi_uri: '', vpa: null, expires_at: until };
  if (payment) await store.payments.save(tx, reopenPayment({ ...payment, kind: 'debit' }, again));
  else if (!(await store.payments.insertOnce(tx, paymentOf(debit, until, tx.now))))
    throw new Error(`${debit.payment_reference} is already another payment`);
  const { provider, tenant, payment_reference: key } = debit;
  const fault = await takeFault(tx, { target: provider, operation: 'debit_result' }, tenant);
  if (fault?.kind === 'drop') return;
  const delayMs = fault?.kind === 'delay' ? (fault.delay_ms ?? DEFAULT_DELAY_MS) : 0;
  const due_at = new Date(executeAt.getTime() + delayMs);
  await scheduleDue(tx, { kind: ANSWER_DEBIT, key, tenant, due_at });
}

function paymentOf(debit: OpenedDebit, expires_at: Date, created_at: Date): ProviderPaymentRow {
  const { provider, payment_reference: reference, payment_id, tenant, amount } = debit;
  return awaitPayer({
    ...{ kind: 'debit', provider, reference, payment_id, tenant, amount, payee_name: 'Mandate debit' },
    ...{ upi_uri: '', vpa: null, expires_at, created_at },
  });
}
