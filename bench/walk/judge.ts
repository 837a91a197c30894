import type { Arrival } from './endpoint.ts';

/**
 * What is wrong with the webhooks of one object: a missing, a doubled or an unexpected one, or another order than `expected`,
 * whose labels differ. Null: nothing.
 */
export function webhookFault(
  object: string,
  expected: readonly string[],
  arrivals: readonly Pick<Arrival, 'id' | 'label'>[],
): string | null {
  const labels = arrivals.map(({ label }) => label);
  const missing = expected.filter((label) => !labels.includes(label));
  if (missing.length > 0) return `${object}: missing ${missing.join(', ')}`;
  const unexpected = labels.filter((label) => !expected.includes(label));
  if (unexpected.length > 0) return `${object}: unexpected ${unexpected.join(', ')}`;
  const doubled = labels.filter((label, index) => labels.indexOf(label) < index);
  if (doubled.length > 0) return `${object}: doubled ${doubled.join(', ')}`;
  const early = labels.find((label, index) => label !== expected[index]);
  return early === undefined ? null : `${object}: out of order ${labels.join(', ')}`;
}
