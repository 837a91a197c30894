import { ApiError, istTimestamp } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { Body, Controller, Get, Headers, Inject, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { CLOCK_SKEW_MS, Database } from '../db/database.ts';
import { DueWorker, earlierOf } from '../due/due-worker.ts';
import { Internal } from '../http/auth/route-policy.ts';
import { EventWatch } from './event-watch.ts';

/** `POST /internal/sandbox/clock`: how far business time is ahead of the wall clock. It never goes back (CLOCK-2). */
const clockRequest = z.strictObject({ offset_ms: z.int().nonnegative() });

const quietQuery = z.strictObject({
  before: z.iso.datetime({ offset: true }).optional(),
  tenant: z.string().optional(),
});
/** The header of a caller who knows that no event is on the bus, unless one of the marks has changed: then the bus is not asked. */
export const BUS_IS_EMPTY = 'x-bus-is-empty';
/** How many due works are named in the answer. */
const NAMED = 5;

/**
 * `GET /internal/sandbox/quiet`: the unfinished work of this service over all its replicas (CLOCK-9). `due` includes work that a replica
 * is doing; `background` is due work that is not a step of a jump (webhook retries); `in_flight` counts only the answering process. The
 * two marks change when an event was written or consumed; `earliest_due_at` is the next step ≤ `before`, `earliest_unanswered_at` the next
 * that is not an hourly retry of a question that was answered, and `earliest_planned_at` the next that is no hourly retry; `objects` are
 * some due works of the requested tenant, as kind and key.
 */
export const quietAnswer = z.strictObject({
  due: z.int(),
  background: z.int(),
  unpublished: z.int(),
  unconsumed: z.int(),
  in_flight: z.int(),
  last_written: z.string().nullable(),
  last_consumed: z.string().nullable(),
  earliest_due_at: z.string().nullable(),
  earliest_unanswered_at: z.string().nullable(),
  earliest_planned_at: z.string().nullable(),
  objects: z.array(z.string()),
});

/** `catchUp` may have been ahead of the move by the difference of two wall clocks. */
const MOVE = sql(
  'business_clock.move',
  `UPDATE business_clock SET offset_ms = greatest(offset_ms, $1) WHERE offset_ms <= $1::bigint + ${CLOCK_SKEW_MS} RETURNING offset_ms`,
);

@ApiExcludeController()
@Controller('internal/sandbox')
@Internal()
export class SandboxController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(DueWorker) private readonly dueWorker: DueWorker,
    @Inject(EventWatch) private readonly events: EventWatch,
  ) {}

  @Post('clock')
  async move(
    @Body({ schema: clockRequest }) { offset_ms }: z.output<typeof clockRequest>,
  ): Promise<{ readonly offset_ms: number; readonly now: string }> {
    const moved = await this.database.query(MOVE, [offset_ms]);
    if (moved.length === 0) throw new ApiError('BAD_REQUEST_ERROR', 'The clock never goes back.');
    this.dueWorker.wake();
    return { offset_ms, now: istTimestamp(await this.database.now()) };
  }

  @Get('quiet')
  async quiet(
    @Query({ schema: quietQuery }) { before, tenant }: z.output<typeof quietQuery>,
    @Headers(BUS_IS_EMPTY) busIsEmpty: string | undefined,
  ): Promise<z.output<typeof quietAnswer>> {
    const until = before === undefined ? null : new Date(before);
    const { now, due, earliest, unanswered, planned, ...events } = await this.events.now(
      until,
      busIsEmpty === 'true',
    );
    // Lanes last, so that work of theirs which a consumed event has scheduled is always counted.
    const [lanes, objects] = await Promise.all([
      this.dueWorker.lanesDue(now, until),
      tenant === undefined ? [] : this.dueWorker.firstDue(tenant, now, NAMED),
    ]);
    const timeOf = (at: Date | null) => {
      const next = earlierOf(lanes.earliest, at);
      return next && istTimestamp(next);
    };
    return {
      ...events,
      due: due + lanes.due,
      background: lanes.background,
      in_flight: this.dueWorker.inFlight,
      earliest_due_at: timeOf(earliest),
      earliest_unanswered_at: timeOf(unanswered),
      earliest_planned_at: timeOf(planned),
      objects,
    };
  }
}
