import type { ServiceName } from '@fundrail/contracts';
import { z } from 'zod';

/** What a service answers to `GET /internal/sandbox/quiet` (service-kit), for all its replicas. */
export const quietReport = z.object({
  due: z.int(),
  /** Due work that is no step of a jump. */
  background: z.int(),
  unpublished: z.int(),
  unconsumed: z.int(),
  in_flight: z.int(),
  /** Marks that change when an event was written, or consumed. */
  last_written: z.string().nullable(),
  last_consumed: z.string().nullable(),
  earliest_due_at: z.string().nullable(),
});
export type QuietReport = z.output<typeof quietReport>;

/** One question to every service at the same time; null: it did not answer. */
export type Round = ReadonlyMap<ServiceName, QuietReport | null>;

/** The service whose deliveries a jump waits for only so long (contract §10 "Conventions"). */
export const DELIVERING: ServiceName = 'webhooks';

/** The services that still move, or do not answer, so that nobody knows. Deliveries and housekeeping do not count. */
export function movingServices(round: Round): ServiceName[] {
  return [...round].filter(([name, report]) => !isSettled(name, report)).map(([name]) => name);
}

function isSettled(name: ServiceName, report: QuietReport | null): boolean {
  if (!report) return false;
  // What runs in webhooks are its deliveries.
  const calls = name === DELIVERING ? 0 : report.in_flight;
  return report.due === 0 && report.unpublished === 0 && report.unconsumed === 0 && calls === 0;
}

/** Whether deliveries are due or under way. */
export function isDelivering(round: Round): boolean {
  const report = round.get(DELIVERING);
  return report != null && (report.background > 0 || report.in_flight > 0);
}

/** Whether nothing was written or consumed between the two rounds: an event on its way may be in nobody's count. */
export function hasSameMarks(one: Round, other: Round): boolean {
  return [...one].every(([name, first]) => {
    const second = other.get(name);
    if (!first || !second) return false;
    return first.last_written === second.last_written && first.last_consumed === second.last_consumed;
  });
}

/** The earliest step of any service, or null when none is left before the target. */
export function earliestStep(round: Round): Date | null {
  const steps = [...round.values()].flatMap((report) =>
    report?.earliest_due_at ? [new Date(report.earliest_due_at).getTime()] : [],
  );
  return steps.length === 0 ? null : new Date(Math.min(...steps));
}
