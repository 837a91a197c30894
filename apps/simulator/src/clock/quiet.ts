import type { ServiceName } from '@fundrail/contracts';
import { z } from 'zod';

/** What a service answers to `GET /internal/sandbox/quiet` (service-kit); `background` is due work that is no step of a jump. */
export const quietReport = z.object({
  due: z.int(),
  background: z.int().default(0),
  unpublished: z.int(),
  in_flight: z.int(),
  published: z.int(),
  consumed: z.int(),
  earliest_due_at: z.string().nullable(),
});
export type QuietReport = z.output<typeof quietReport>;

/** One question to every service at the same time. */
export type Round = ReadonlyMap<ServiceName, QuietReport>;

/** The service whose deliveries a jump waits for only so long (contract §10 "Conventions"). */
export const DELIVERING: ServiceName = 'webhooks';

/** The services that still move. Deliveries count for the one that delivers; housekeeping elsewhere does not. */
export function movingServices(round: Round): ServiceName[] {
  return [...round].filter(([name, report]) => !isSettled(name, report)).map(([name]) => name);
}

function isSettled(name: ServiceName, report: QuietReport): boolean {
  const deliveries = name === DELIVERING ? report.background : 0;
  return report.due === 0 && deliveries === 0 && report.unpublished === 0 && report.in_flight === 0;
}

/** Whether nothing was published or consumed between the two rounds: an event on its way is in nobody's table. */
export function hasSameCounts(one: Round, other: Round): boolean {
  return [...one].every(([name, report]) => {
    const second = other.get(name);
    return second?.published === report.published && second.consumed === report.consumed;
  });
}

/** The earliest step of any service, or null when none is left before the target. */
export function earliestStep(round: Round): Date | null {
  const steps = [...round.values()].flatMap(({ earliest_due_at: at }) =>
    at === null ? [] : [new Date(at).getTime()],
  );
  return steps.length === 0 ? null : new Date(Math.min(...steps));
}
