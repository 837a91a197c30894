import type { Crash } from './fault-points.ts';

/**
 * The service at whose point a crash dies, and the phase: the last word of the point, or `before_` and its object. So
 * `orders.claim.before_commit` is "orders before_commit", and `payments.transfer_applied` is "payments applied". The kinds of due work
 * are one: the same code marks each of them as done.
 */
export function kindOf({ fault: { point } }: Crash): string {
  const [name = ''] = /^due\.handled|^.*/.exec(point) ?? [];
  const [service = ''] = name.split('.', 1);
  const [phase = ''] = /(before_)?[a-z]+$/.exec(name) ?? [];
  return `${service} ${phase}`;
}

/**
 * Of these crashes, at least one of each kind and one in each walk. First come those that are new by both, in the order of the list,
 * then those that are new by one. So the sample is small and always the same.
 */
function sampleOf(crashes: readonly Crash[]): readonly Crash[] {
  const seen = new Set<unknown>();
  const sample = new Set<Crash>();
  for (const least of [2, 1]) {
    for (const crash of crashes) {
      const news = [kindOf(crash), crash.walk].filter((one) => !seen.has(one));
      if (news.length < least) continue;
      for (const one of news) seen.add(one);
      sample.add(crash);
    }
  }
  return crashes.filter((crash) => sample.has(crash));
}

/** The crashes of a run, by `CRASH_POINTS` of `tools/jest/sizes.ts`. Throws for any other value. */
export function crashesAt(size: string | undefined, crashes: readonly Crash[]): readonly Crash[] {
  if (size === 'all') return crashes;
  if (size === 'sample') return sampleOf(crashes);
  throw new Error('CRASH_POINTS is neither all nor sample');
}
