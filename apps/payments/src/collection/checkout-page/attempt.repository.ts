import type { PaymentFailureCode } from '@fundrail/contracts';
import { insertRow, sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { PaymentKey } from '../../payment/change-payment.ts';
import { CHECKOUT_ATTEMPTS, type AttemptRow } from './attempt.table.ts';

const OF = sql(
  'checkout_attempts.of',
  'SELECT * FROM checkout_attempts WHERE tenant = $1 AND payment_id = $2 ORDER BY number',
);
const ANSWER = sql(
  'checkout_attempts.answer',
  `UPDATE checkout_attempts SET address = $4, failure_code = $5 WHERE tenant = $1 AND payment_id = $2 AND number = $3`,
);
const LAY_ASIDE = sql(
  'checkout_attempts.lay_aside',
  `UPDATE checkout_attempts SET laid_aside_at = $3
   WHERE tenant = $1 AND payment_id = $2 AND way <> 'intent' AND laid_aside_at IS NULL AND failure_code IS NULL`,
);
const FAIL = sql(
  'checkout_attempts.fail',
  `UPDATE checkout_attempts SET failure_code = $4, address = NULL
   WHERE tenant = $1 AND payment_id = $2 AND number = ANY($3) AND failure_code IS NULL`,
);

/** The payment's attempts, the oldest first. */
export function attemptsOf(db: Queryable, { tenant, id }: PaymentKey): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(OF, [tenant, id]);
}

/** The caller holds the lock on the payment's row, so that two attempts do not get the same number. */
export const addAttempt = insertRow(CHECKOUT_ATTEMPTS);

/** Stores the provider's answer: an address, a refusal, or neither when there is no page to go to. */
export async function answerAttempt(
  db: Queryable,
  { tenant, id, number }: PaymentKey & { readonly number: number },
  answer: { readonly address?: string | null; readonly failure_code?: PaymentFailureCode },
): Promise<void> {
  await db.query(ANSWER, [tenant, id, number, answer.address ?? null, answer.failure_code ?? null]);
}

/** The investor wants to pay in another way than the current one. */
export async function layAttemptsAside(db: Queryable, { tenant, id }: PaymentKey, now: Date): Promise<void> {
  await db.query(LAY_ASIDE, [tenant, id, now]);
}

/** The provider reports that these attempts failed. Their addresses are removed, so that the page no longer leads there. */
export async function failAttempts(
  tx: Tx,
  { tenant, id }: PaymentKey,
  numbers: readonly number[],
  code: PaymentFailureCode,
): Promise<void> {
  if (numbers.length > 0) await tx.query(FAIL, [tenant, id, numbers, code]);
}
