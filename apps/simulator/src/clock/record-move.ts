import { newId } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { targetOf, type MoveClockRequest } from './clock.dto.ts';
import type { ClockMove } from './clock-move.ts';
import {
  findMoveByKey,
  findMoveTo,
  insertMove,
  lastTargetOf,
  lockMoves,
  reviveMove,
} from './clock-move.repository.ts';
import type { Asked } from './clock-move.repository.ts';

/**
 * Records a requested move and fixes its target. A repeated request with the same key returns the same move. So does `{ now }` with a
 * target that is in progress or was reached. Neither moves the clock twice, even when the first response was lost.
 */
@Injectable()
export class RecordMove {
  constructor(
    private readonly database: Database,
    private readonly wall: Clock,
  ) {}

  /** Throws `ValidationFailed` on a target before the current time, or before the target of a queued move. */
  execute(tenant: string, key: string | null, request: MoveClockRequest): Promise<ClockMove> {
    const asked = { tenant, idempotency_key: key, request: textOf(request) };
    return this.database.transaction(async (tx) => {
      const aheadMs = await lockMoves(tx);
      const wall = this.wall.now();
      const known = await this.known(tx, asked, request, wall);
      if (known) return known;
      // Not the transaction's time: a move may have ended while the transaction waited for the lock.
      const now = new Date(wall.getTime() + aheadMs);
      const end = await lastTargetOf(tx);
      const target = targetOf(request, end && end > now ? end : now, now);
      return insertMove(tx, { ...asked, id: newId('clockMove'), target, created_at: wall });
    });
  }

  private async known(
    tx: Tx,
    asked: Asked,
    { now }: MoveClockRequest,
    wall: Date,
  ): Promise<ClockMove | null> {
    const sent = await findMoveByKey(tx, asked, wall);
    if (sent) return sent.failure === null ? sent : reviveMove(tx, sent);
    return now === undefined ? null : findMoveTo(tx, new Date(now));
  }
}

function textOf({ advance, now }: MoveClockRequest): string {
  return JSON.stringify(now === undefined ? { advance } : { now });
}
