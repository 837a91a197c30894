import type { ApiError, TenantFacts } from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import { judge, parametersFor } from '@fundrail/policies';
import type { PaymentTimes } from '../../config.ts';
import type { PaymentRow } from '../../payment/payment.tables.ts';
import { paidByUpi } from '../collection.repository.ts';
import type { PaymentFlow } from '../new-payment.ts';

/** A payment that may be made by UPI. */
type Asked = Pick<PaymentRow, 'id' | 'tenant' | 'payment_type' | 'from_bank_account_id' | 'amount'>;

/** What a request asks for, and what operators chose for its tenant. */
interface Terms {
  readonly flow: PaymentFlow;
  readonly policies: TenantFacts['settings']['policies'];
}

/** What the account's other payments are read from, and how long a QR code can be paid. */
interface Source {
  readonly db: Queryable;
  readonly times: Pick<PaymentTimes, 'fromUriMs'>;
}

/** The limit counts what was paid within this time before. */
const DAY_MS = 86_400_000;

/** The refusal of the payment by UPI, by the law and the tenant's choice within it; null when it is allowed (FLOW-13, FLOW-14). */
export async function upiLimitRefusal(
  { db, times }: Source,
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
  const before = (ms: number) => new Date(now.getTime() - ms);
  const counted = { paid_since: before(DAY_MS), shown_since: before(times.fromUriMs) };
  const paid = await paidByUpi(db, asked, counted);
  return judge(daily, now, choice, { total: paid.plus(amount) });
}

/** Who asks for a collect request: the API, or the page of an investor with that browser. */
type Asker = 'api' | { readonly user_agent: string };

/** The refusal of a collect request, by the date, the tenant's setting and its exemption; null when it is allowed (FLOW-4). */
export function collectRefusal(
  { upi_collect_enabled, policies }: Pick<TenantFacts['settings'], 'upi_collect_enabled' | 'policies'>,
  asker: Asker,
  now: Date,
): ApiError | null {
  const on_ios_or_mobile_web = asker !== 'api' && isIosOrMobileWeb(asker.user_agent);
  const name = 'upi_collect';
  return judge(name, now, policies[name] ?? null, { upi_collect_enabled, on_ios_or_mobile_web });
}

/** Whether a browser says that it is one of iOS, Android or a phone. That of an iPad says by default that it is a Mac, and counts as one. */
function isIosOrMobileWeb(userAgent: string): boolean {
  return /\b(iPhone|iPad|iPod|Android|Mobile)\b/.test(userAgent);
}

/** The terms once the amount is known: above a limit a checkout of any method has net banking alone. Throws the 422 of the limit for a payment by UPI. */
export async function withinUpiLimit<T extends Terms>(
  source: Source,
  terms: T,
  asked: Omit<Asked, 'payment_type'>,
  now: Date,
): Promise<T> {
  if (terms.flow.method === 'NETBANKING') return terms;
  const refusal = await upiLimitRefusal(source, { ...asked, payment_type: 'NETBANKING' }, terms, now);
  if (!refusal) return terms;
  if (terms.flow.kind !== 'checkout' || terms.flow.method === 'UPI') throw refusal;
  return { ...terms, flow: { ...terms.flow, method: 'NETBANKING' } };
}
