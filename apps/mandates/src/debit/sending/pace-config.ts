import { PROVIDER_NAMES, type ProviderName } from '@fundrail/contracts';
import { numberVariable } from '@fundrail/service-kit';
import type { z } from 'zod';

/** Executions of debits that are sent to a provider in a second, over all replicas. */
export type DebitsPerSecond = Readonly<Record<ProviderName, number>>;

/**
 * NPCI requires Autopay to be executed "at moderated TPS", with requests "queued and rate-limited", but gives no figure (circular
 * of 21 May 2025, as `DEBIT_POLICY.windows` cites it). Razorpay answers 429 above a limit that it does not publish either
 * (https://razorpay.com/docs/api/pagination); others do: Cashfree charges 60 a minute unless agreed otherwise
 * (https://www.cashfree.com/docs/api-reference/payments/latest/subscription/rate-limits), Stripe 25 a second of one operation
 * (https://docs.stripe.com/rate-limits). 10 a second is below the latter, and 100,000 debits fit into the afternoon's window of
 * four hours. Set it to the rate that was agreed with the provider.
 */
const DEFAULT_PER_SECOND = 10;
/** The simulator has no limit, and debits should not wait after a jump of the sandbox's clock. */
const SANDBOX_PER_SECOND = 1_000;

const perSecond = numberVariable(0.01, 100_000).optional();

type PaceVariable = `${ProviderName}_DEBITS_PER_SECOND`;

/** The variables of the pace. */
export const paceVariables = Object.fromEntries(
  PROVIDER_NAMES.map((name) => [`${name}_DEBITS_PER_SECOND`, perSecond]),
) as Record<PaceVariable, typeof perSecond>;

export function debitsPerSecond(
  env: z.output<z.ZodObject<typeof paceVariables>> & { readonly SANDBOX: string },
): DebitsPerSecond {
  const usual = env.SANDBOX === 'true' ? SANDBOX_PER_SECOND : DEFAULT_PER_SECOND;
  const paces = PROVIDER_NAMES.map((name) => [name, env[`${name}_DEBITS_PER_SECOND`] ?? usual]);
  return Object.fromEntries(paces) as DebitsPerSecond;
}
