/** The middle one of the values, or what lies between the middle two: rounds are compared by their medians, as single rounds are noisy. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [upper, lower] = [sorted.length >> 1, (sorted.length - 1) >> 1];
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}

/** A figure of the report, to the hundredth. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
