/** Median and 99th percentile of times in milliseconds, to the tenth. */
export interface Quantiles {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

export function quantiles(times: readonly number[]): Quantiles {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (q: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN) * 10) / 10;
  return { p50_ms: at(0.5), p99_ms: at(0.99) };
}
