/** Resident memory at a time of the run. */
export interface Sample {
  readonly minutes: number;
  readonly mb: number;
}

/** The growth in MB per minute: the slope of the line with the least squares through the samples; 0 for fewer than two. */
export function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [minutes, mb] = [mean((one) => one.minutes), mean((one) => one.mb)];
  const spread = mean((one) => (one.minutes - minutes) ** 2);
  return spread > 0 ? mean((one) => (one.minutes - minutes) * (one.mb - mb)) / spread : 0;
}
