import { ApiError, istTimestamp } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { store } from '../store/simulator.tables.ts';
import { queryAll } from './query-all.ts';
import type { BusinessTime } from './clock.dto.ts';
import { followPath, stateOf, type ClockMove } from './clock-move.ts';
import { nextMove } from './clock-move.repository.ts';
import { waitsFor, type Waiting } from './quiet.ts';

/** Reads the clock and the progress of a move. */
@Injectable()
export class ReadClock {
  constructor(
    private readonly database: Database,
    private readonly services: ServiceClient,
  ) {}

  /** `job` null: the move in progress, else the last one. Throws NOT_FOUND for an unknown move. */
  async execute(tenant: string, job: string | null): Promise<BusinessTime> {
    const move = await this.moveOf(job);
    if (job !== null && !move) throw new ApiError('NOT_FOUND');
    const isUnderWay = move !== null && stateOf(move) === 'under_way';
    const waits = isUnderWay ? waitsFor(await queryAll(this.services, { target: move.target, tenant })) : [];
    return timeWith(await this.database.now(), move, waits);
  }

  private async moveOf(job: string | null): Promise<ClockMove | null> {
    if (job !== null) return store.clockMoves.find(this.database, { id: job });
    const ended = { ended_at: { not: null } };
    const next = await nextMove(this.database);
    return next ?? store.clockMoves.find(this.database, ended, 't.ended_at DESC');
  }
}

/** The response for the clock; `move` is null when the clock was never moved. */
export function timeWith(now: Date, move: ClockMove | null, waits_for: Waiting[]): BusinessTime {
  const state = move && stateOf(move);
  return {
    now: istTimestamp(now),
    job: move?.id ?? null,
    state,
    target: move && istTimestamp(move.target),
    reached: state === null || state === 'reached',
    failure: move?.failure ?? null,
    waits_for,
    follow: move && followPath(move),
  };
}
