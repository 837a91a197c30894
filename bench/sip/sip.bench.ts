import { PURCHASE } from '../swp/kinds.ts';
import { plansBench } from '../swp/swp.bench.ts';

/** The benchmark `swp` of purchase plans by mandate, of every frequency, where a step-up is due in almost half of them. */
export function sipBench(): Promise<object> {
  return plansBench(PURCHASE);
}
