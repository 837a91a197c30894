/** GATE-3: retried after 5 s, 30 s, 5 min, 1 h, then hourly. In milliseconds of business time. */
const BACK_OFF_MS = [5_000, 30_000, 300_000, 3_600_000] as const;

/** A row with this many attempts is retried hourly. */
export const HOURLY_FROM = BACK_OFF_MS.length;

/** How long to wait after an attempt that had `attempts` attempts before it. */
export function backOffMs(attempts: number): number {
  return BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length - 1)] ?? BACK_OFF_MS[3];
}
