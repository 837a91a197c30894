/** What one run of a load gave: requests per second, and the time of one request in milliseconds. */
export interface LoadResult {
  readonly rps: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly failed: number;
}

/**
 * Drives `request` with `clients` of them in flight until `total` have been answered (closed loop: a client sends its next
 * request when the last was answered). The first `warmup` requests are sent but not counted.
 */
export async function drive(options: {
  readonly clients: number;
  readonly total: number;
  readonly warmup: number;
  readonly request: (index: number) => Promise<boolean>;
}): Promise<LoadResult> {
  const times: number[] = [];
  let next = 0;
  let failed = 0;
  let startedAt = 0;
  const client = async () => {
    for (let index = next++; index < options.warmup + options.total; index = next++) {
      const counted = index >= options.warmup;
      if (counted && startedAt === 0) startedAt = performance.now();
      const began = performance.now();
      const ok = await options.request(index);
      if (!counted) continue;
      if (ok) times.push(performance.now() - began);
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const quantile = (q: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * q))] ?? Number.NaN;
  return { rps: times.length / seconds, p50_ms: quantile(0.5), p99_ms: quantile(0.99), failed };
}
