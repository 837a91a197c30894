import { addDuration, prefixedId, SERVICES, timestamp, ValidationFailed } from '@fundrail/contracts';
import { z } from 'zod';

/** `POST /sandbox/clock` (CLOCK-1): forward by an ISO 8601 duration, or to an instant. */
export const moveClockRequest = z
  .strictObject({
    advance: z
      .string()
      .max(64)
      .meta({ examples: ['P1M'] })
      .optional(),
    now: timestamp.optional(),
  })
  .refine((request) => (request.advance === undefined) !== (request.now === undefined), {
    path: ['advance'],
    message: 'must have exactly one of advance and now',
  })
  .meta({ id: 'MoveClockRequest' });
export type MoveClockRequest = z.output<typeof moveClockRequest>;

const waiting = z
  .strictObject({
    service: z.enum(SERVICES),
    answers: z
      .boolean()
      .meta({ description: 'Whether the service responds. The move waits while it restarts' }),
    due_work: z.int().meta({ description: 'Due work that is not done' }),
    events: z.int().meta({ description: 'Events that are not yet published or handled' }),
    calls: z.int().meta({ description: 'Calls that run in the process that responded' }),
    objects: z
      .array(z.string())
      .meta({ description: 'Up to five items of due work of your tenant, earliest first: kind and key' }),
  })
  .meta({ id: 'ClockWaitsFor' });

/** Business time, and the last requested move of the clock, or the one in `job`. */
export const businessTime = z
  .strictObject({
    now: timestamp,
    job: prefixedId('clockMove').nullable().meta({ description: 'The move; null before the first move' }),
    state: z.enum(['under_way', 'reached', 'failed']).nullable(),
    target: timestamp.nullable().meta({ description: 'The business time that the move goes to' }),
    reached: z.boolean().meta({ description: 'Whether the target is reached and the move is done' }),
    failure: z.string().nullable().meta({ description: 'Why the move ended before its target' }),
    waits_for: z
      .array(waiting)
      .meta({ description: 'The services that the move is waiting for; empty between two steps' }),
    follow: z.string().nullable().meta({ description: 'GET this path to follow the move' }),
  })
  .meta({ id: 'BusinessTime' });
export type BusinessTime = z.output<typeof businessTime>;

/** Selects the move to return. Default: the one in progress, else the last. */
export const readClockQuery = z.strictObject({ job: prefixedId('clockMove').optional() });

// A jump executes every day on its way. Ten years take as long as a client can reasonably wait.
const FARTHEST_YEARS = 10;

/**
 * The requested target. `from` is where the queued moves end. Throws `ValidationFailed` on an invalid duration, on a target before
 * `from`, and on a target too far from `now`, queued moves included.
 */
export function targetOf(request: MoveClockRequest, from: Date, now: Date = from): Date {
  const field = request.now === undefined ? 'advance' : 'now';
  const target = request.now === undefined ? advanced(from, request.advance ?? '') : new Date(request.now);
  if (target < from)
    throw new ValidationFailed([
      { field, message: 'must not go backwards: the business clock only moves forward' },
    ]);
  if (target > addDuration(now, `P${FARTHEST_YEARS}Y`))
    throw new ValidationFailed([{ field, message: `must be at most ${FARTHEST_YEARS} years ahead` }]);
  return target;
}

function advanced(now: Date, duration: string): Date {
  try {
    return addDuration(now, duration);
  } catch {
    throw new ValidationFailed([
      { field: 'advance', message: 'must be an ISO 8601 duration such as P1M or PT90M' },
    ]);
  }
}
