import type { ApiError, Decimal, TenantFacts } from '@fundrail/contracts';
import { judge } from '@fundrail/policies';
import type { PaymentTerms } from '../payment-terms.ts';

/** The refusal of one UPI payment of that amount, by the law and the tenant's choice within it; null when it is allowed (FLOW-13). */
export function upiLimitRefusal(
  { policies }: Pick<TenantFacts['settings'], 'policies'>,
  amount: Decimal,
  now: Date,
): ApiError | null {
  const name = 'upi_per_transaction_limit';
  return judge(name, now, policies[name] ?? null, { amount });
}

/** The terms once the amount is known: above the limit a checkout of any method has net banking alone. Throws 422 UPI_LIMIT_EXCEEDED for a payment by UPI. */
export function withinUpiLimit(terms: PaymentTerms, amount: Decimal, now: Date): PaymentTerms {
  const refusal = upiLimitRefusal(terms, amount, now);
  if (!refusal) return terms;
  if (terms.flow.kind !== 'checkout' || terms.flow.method === 'UPI') throw refusal;
  return { ...terms, flow: { ...terms.flow, method: 'NETBANKING' } };
}
