import type { PaymentFailureCode } from '@fundrail/contracts';
import { sql, type Tx } from '@fundrail/persistence';
import type { PaymentRow } from '../payment/payment.tables.ts';

/** A row of `debits` of release 0.1. */
export interface OldDebit {
  readonly execute_at: Date;
  readonly planned_at: Date | null;
  readonly notice_begun_at: Date | null;
  readonly notice_called_at: Date | null;
  readonly notified_at: Date | null;
  readonly notice_reference: string | null;
  readonly notice_proof: string | null;
  readonly notice_withdrawn_at: Date | null;
  readonly notice_number: number;
  readonly told_execute_at: Date | null;
  readonly notice_failed_at: Date | null;
  readonly mandate_ended_at: Date | null;
  /** Of its payment. */
  readonly mf_investment_account: string | null;
}

/** A row of `debit_attempts` of release 0.1. `uncalled`: no call was and will be made under its intent. */
export interface OldAttempt {
  readonly number: number;
  readonly reference: string;
  readonly started_at: Date;
  readonly called_at: Date | null;
  readonly uncalled: boolean;
  readonly accepted_at: Date | null;
  readonly ended_at: Date | null;
  readonly failure_code: PaymentFailureCode | null;
  readonly never: string | null;
}

const TAKE_ATTEMPTS = sql(
  'debit_attempts.take',
  'DELETE FROM debit_attempts WHERE tenant = $1 AND payment_id = $2 RETURNING *',
);
const TAKE = sql('debits.take', 'DELETE FROM debits WHERE tenant = $1 AND payment_id = $2 RETURNING *');

/** Deletes the debit of a payment, and returns it with its attempts in their order. */
export async function takeOldDebit(
  tx: Tx,
  { tenant, id }: Pick<PaymentRow, 'tenant' | 'id'>,
): Promise<[OldDebit | undefined, OldAttempt[]]> {
  const attempts = await tx.query<OldAttempt>(TAKE_ATTEMPTS, [tenant, id]);
  const [debit] = await tx.query<OldDebit>(TAKE, [tenant, id]);
  return [debit, attempts.toSorted((one, other) => one.number - other.number)];
}
