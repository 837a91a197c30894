import { evidenceFaults, ValidationFailed, type ApiError, type ConsentInput } from '@fundrail/contracts';
import type { Choice } from './define-policy.ts';
import { judge, parametersFor } from './judge.ts';

/** Why a consent to that kind of order, or of a plan, is refused for its proof or the lack of one; null when it is not (ORD-32). */
export function refuseEvidence(
  { evidence }: ConsentInput,
  order: 'purchase' | 'redemption',
  choice: Choice | null,
  now: Date,
): ApiError | null {
  const name = 'two_factor_consent';
  const missing = judge(name, now, choice, { order, has_evidence: Boolean(evidence) });
  if (missing || !evidence) return missing;
  const most = parametersFor(name, now, choice)?.max_age_minutes ?? null;
  const faults = evidenceFaults(evidence, most, now);
  return faults.length > 0 ? new ValidationFailed(faults) : null;
}
