import { addDuration, timestamp, ValidationFailed } from '@fundrail/contracts';
import { z } from 'zod';

/** `POST /sandbox/clock` (contract §7): forward by an ISO 8601 duration, or to an instant. */
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
    message: 'give exactly one of advance and now',
  })
  .meta({ id: 'MoveClockRequest' });
export type MoveClockRequest = z.output<typeof moveClockRequest>;

export const businessTime = z.strictObject({ now: timestamp }).meta({ id: 'BusinessTime' });

// A jump plays every day on its way. Ten years of them are as many as anybody can wait for.
const FARTHEST_YEARS = 10;

/** The instant that is asked for. Throws `ValidationFailed` on a bad duration, on a way back and on one that is too far. */
export function targetOf(request: MoveClockRequest, now: Date): Date {
  const field = request.now === undefined ? 'advance' : 'now';
  const target = request.now === undefined ? advanced(now, request.advance ?? '') : new Date(request.now);
  if (target < now)
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
