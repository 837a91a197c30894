import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { BusinessTime, MoveClockRequest } from './clock.dto.ts';
import { stateOf } from './clock-move.ts';
import { ClockMoves } from './clock-moves.ts';
import { unreached } from './quiet-watch.ts';
import { timeWith } from './read-clock.ts';
import { RecordMove } from './record-move.ts';

/** How long a request waits for its move. Injected, so that tests can shorten it. */
@Injectable()
export class ClockPatience {
  answerWithinMs = 10_000;
}

/** Moves the clock, within the request or as a job that the client follows. */
@Injectable()
export class MoveClock {
  constructor(
    private readonly database: Database,
    private readonly recording: RecordMove,
    private readonly moves: ClockMoves,
    private readonly patience: ClockPatience,
  ) {}

  /**
   * Returns 200 when the target is reached, 202 when it takes longer than `ClockPatience`. Throws `ValidationFailed` on a target in the
   * past, and SERVICE_UNAVAILABLE when a service does not respond or does not finish its work. A retry of the request continues the move.
   */
  async execute(caller: Caller, request: MoveClockRequest): Promise<{ status: number; body: BusinessTime }> {
    const recorded = await this.recording.execute(caller.tenant, caller.idempotency?.key ?? null, request);
    this.moves.wake();
    const move = await this.moves.ended(recorded, this.patience.answerWithinMs);
    if (move.failure !== null) throw unreached(move.failure);
    const status = stateOf(move) === 'reached' ? 200 : 202;
    return this.database.transaction(async (tx) => {
      const body = timeWith(tx.now, move, []);
      return { status, body: await caller.answer(tx, body, status) };
    });
  }
}
