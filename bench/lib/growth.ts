import { median } from './median.ts';

/** How long something took that began at `at`, both in milliseconds. */
export interface Wait {
  readonly at: number;
  readonly ms: number;
}

/** What the median of the last quarter may have beyond twice that of the first: the aim of a whole delivery's median. */
const GRACE_MS = 50;

/**
 * Why the queue before these waits grows, or null: the median wait of the last quarter of the time is more than twice that of the first
 * and 50 ms. A queue that grows steadily makes it seven times as long; one that is long and stays so is a matter of the figures.
 */
export function growthFault(what: string, waits: readonly Wait[]): string | null {
  const times = waits.map(({ at }) => at).sort((a, b) => a - b);
  const [start = 0, end = 0] = [times[0], times.at(-1)];
  const quarter = (end - start) / 4;
  const medianOf = (isIn: (at: number) => boolean) =>
    Math.round(median(waits.filter(({ at }) => isIn(at)).map(({ ms }) => ms)));
  const first = medianOf((at) => at <= start + quarter);
  const last = medianOf((at) => at >= end - quarter);
  if (last <= 2 * first + GRACE_MS) return null;
  return `${what}: the queue grows, p50 ${first} ms in the first quarter and ${last} ms in the last`;
}
