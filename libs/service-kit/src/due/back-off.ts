/** Contract §2: asked again after 5 s, 30 s, 5 min, 1 h, then hourly. In milliseconds of business time. */
export const BACK_OFF_MS = [5_000, 30_000, 300_000, 3_600_000] as const;

/** How long to wait after a try that had `attempts` tries before it. */
export function backOffMs(attempts: number): number {
  return BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length - 1)] ?? BACK_OFF_MS[3];
}
