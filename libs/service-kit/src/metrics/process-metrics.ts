import { onJudged, POLICIES, type Policy } from '@fundrail/policies';
import { collectDefaultMetrics, Counter, Registry } from 'prom-client';

let registry: Registry | null = null;

/**
 * Processor time, memory, open files, event-loop delay and garbage collection of this process with all its services, measured from
 * the first call on, and the judgements of policies (POL-8).
 */
export function processMetrics(): Registry {
  if (registry) return registry;
  registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const judged = new Counter({
    name: 'fundrail_policy_judged_total',
    help: 'Judgements of dated policies in this process, by policy and outcome',
    labelNames: ['policy', 'outcome'],
    registers: [registry],
  });
  // Without a 0, the first refusal of a rule that begins is no increase.
  for (const { name: policy, refusal } of Object.values<Policy>(POLICIES))
    if (refusal) for (const outcome of ['allowed', 'refused']) judged.inc({ policy, outcome }, 0);
  onJudged((policy, outcome) => judged.inc({ policy, outcome }));
  return registry;
}
