import { ApiError, istTimestamp } from '@fundrail/contracts';
import { sql } from '@fundrail/messaging';
import { Body, Controller, Get, Inject, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { Database } from '../db/database.ts';
import { DueWorker } from '../due/due-worker.ts';
import { Internal } from '../http/auth/route-policy.ts';
import { EventWatch } from './event-watch.ts';

/** `POST /internal/sandbox/clock`: how far business time is ahead of the wall clock. It never goes back (contract §7). */
export const clockRequest = z.strictObject({ offset_ms: z.int().nonnegative() });
export const clockAnswer = z.strictObject({ offset_ms: z.int(), now: z.string() });

const quietQuery = z.strictObject({ before: z.iso.datetime({ offset: true }).optional() });

/**
 * `GET /internal/sandbox/quiet`: what still moves in this service, over all its replicas (architecture §11 "Moving the sandbox
 * clock"). `due` includes what a replica is working on; `background` is due work that is no step of a jump (webhook
 * retries); `in_flight` runs in the process that answers. The two marks change when something was written or consumed;
 * `earliest_due_at` is the next step ≤ `before`.
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
});

const MOVE = sql(
  'business_clock.move',
  'UPDATE business_clock SET offset_ms = $1 WHERE offset_ms <= $1 RETURNING offset_ms',
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
  ): Promise<z.output<typeof clockAnswer>> {
    const moved = await this.database.query(MOVE, [offset_ms]);
    if (moved.length === 0) throw new ApiError('BAD_REQUEST_ERROR', 'The clock never goes back.');
    this.dueWorker.wake();
    return { offset_ms, now: istTimestamp(await this.database.now()) };
  }

  @Get('quiet')
  async quiet(
    @Query({ schema: quietQuery }) { before }: z.output<typeof quietQuery>,
  ): Promise<z.output<typeof quietAnswer>> {
    // The events first: due work that one has left behind is counted, whenever it was consumed.
    const events = await this.events.now();
    const now = await this.database.now();
    const [counts, earliest] = await Promise.all([
      this.dueWorker.countDue(now),
      before === undefined ? null : this.dueWorker.earliestDue(new Date(before)),
    ]);
    return {
      ...counts,
      ...events,
      in_flight: this.dueWorker.inFlight,
      earliest_due_at: earliest ? istTimestamp(earliest) : null,
    };
  }
}
