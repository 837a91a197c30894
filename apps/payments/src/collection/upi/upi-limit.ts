import type { ApiError, TenantFacts } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { judge, parametersFor } from '@fundrail/policies';
import type { PaymentRow } from '../../payment/payment.tables.ts';
import { paidByUpi } from '../collection.repository.ts';
import type { PaymentTerms } from '../payment-terms.ts';

/** A payment that may be made by UPI. */
type Asked = Pick<PaymentRow, 'id' | 'tenant' | 'payment_type' | 'from_bank_account_id' | 'amount'>;

/** The limit counts what was paid within this time before. */
const DAY_MS = 86_400_000;

/** The refusal of the payment by UPI, by the law and the tenant's choice within it; null when it is allowed (FLOW-13, FLOW-14). */
export async function upiLimitRefusal(
  db: Queryable,
  asked: Asked,
  { policies }: Pick<TenantFacts['settings'], 'policies'>,
  now: Date,
): Promise<ApiError | null> {
  const { amount, payment_type } = asked;
  const [once, daily] = ['upi_per_transaction_limit', 'upi_daily_limit'] as const;
  const refusal = judge(once, now, policies[once] ?? null, { amount });
  const choice = policies[daily] ?? null;
  const counts = parametersFor(daily, now, choice)?.check === 'on' && payment_type === 'NETBANKING';
  if (refusal || !counts) return refusal;
  const paid = await paidByUpi(db, asked, new Date(now.getTime() - DAY_MS));
  return judge(daily, now, choice, { total: paid.plus(amount) });
}

/** The terms once the amount is known: above a limit a checkout has net banking alone. Throws the 422 of the limit for a payment by UPI. */
export async function withinUpiLimit(
  db: Queryable,
  terms: PaymentTerms,
  asked: Omit<Asked, 'payment_type'>,
  now: Date,
): Promise<PaymentTerms> {
  if (terms.flow.method === 'NETBANKING') return terms;
  const refusal = await upiLimitRefusal(db, { ...asked, payment_type: 'NETBANKING' }, terms, now);
  if (!refusal) return terms;
  if (terms.flow.kind !== 'checkout') throw refusal;
  return { ...terms, flow: { ...terms.flow, method: 'NETBANKING' } };
}
