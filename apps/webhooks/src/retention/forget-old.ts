import { Log } from '@fundrail/service-kit';
import { Clock, Database, type Tx } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { removeOldDeliveries } from '../delivery/delivery.repository.ts';
import { removeOldEvents } from '../event/event.repository.ts';
import { oldestRunningReplay, removeOldReplays } from '../replay/webhook-replay.repository.ts';
import {
  dropAttemptPartition,
  hasTooManyWithoutDay,
  isOnlyOne,
  listAttemptPartitions,
  makeAttemptDay,
  MOST_WITHOUT_DAY,
  removeOldAttemptsWithoutDay,
} from './attempt-day.repository.ts';
import { daysOver, missingDays } from './attempt-days.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Contract §6: 30 days, by the wall clock. */
const KEPT_MS = 30 * DAY_MS;
/** Of events that are not shown any more: a replay that was asked for at the last moment still finds its own. */
const EVENTS_KEPT_MS = 31 * DAY_MS;
const MOST = 2_000;
/** Wall milliseconds until a day that could not be turned is tried again: whoever reads attempts for long is let be. */
const TURN_AGAIN_MS = 60_000;
/** The same until it is told again that no day is made. */
const TELL_AGAIN_MS = 60 * 60_000;

/** How far a pass over what is old has come. */
export interface Progress {
  /** Whether there is nothing left to do for now. */
  readonly isDone: boolean;
  /** The last event that was looked at: one whose delivery waits is passed over. */
  readonly event: string;
}

/**
 * Makes the coming days of attempts, drops those that are over, and removes what is older than 30 days: one small step in a
 * transaction of its own, so a crash loses one and leaves nothing half done. One replica at a time does it. What is old is removed
 * also while no day can be made or dropped.
 */
@Injectable()
export class ForgetOld {
  private turnFrom = 0;
  private tellFrom = 0;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async execute(event: string): Promise<Progress> {
    const wallNow = this.clock.now();
    if (await this.turnsDay(wallNow)) return { isDone: false, event };
    return this.database.transaction(async (tx) => {
      if (!(await isOnlyOne(tx))) return { isDone: true, event: '' };
      const before = new Date(wallNow.getTime() - KEPT_MS);
      const attempts = await removeOldAttemptsWithoutDay(tx, before, MOST);
      const deliveries = await removeOldDeliveries(tx, before, MOST);
      // A full step has more behind it. A few are always there where much is sent, and events have their turn all the same.
      if (attempts === MOST || deliveries === MOST) return { isDone: false, event };
      await removeOldReplays(tx, before);
      const last = await removeOldEvents(tx, {
        before: await eventsNeededFrom(tx, wallNow),
        after: event,
        most: MOST,
      });
      return { isDone: last === null, event: last ?? '' };
    });
  }

  private async turnsDay(wallNow: Date): Promise<boolean> {
    if (wallNow.getTime() < this.turnFrom) return false;
    try {
      return await this.database.transaction(
        async (tx) => (await isOnlyOne(tx)) && this.turnDay(tx, wallNow),
      );
    } catch (error) {
      this.turnFrom = wallNow.getTime() + TURN_AGAIN_MS;
      this.log.error('a day of webhook attempts could not be made or dropped', error);
      return false;
    }
  }

  /** Makes or drops one partition. False when all are as they should be. */
  private async turnDay(tx: Tx, wallNow: Date): Promise<boolean> {
    const partitions = await listAttemptPartitions(tx);
    const [missing] = missingDays(partitions, wallNow);
    if (missing && !(await hasTooManyWithoutDay(tx))) {
      await makeAttemptDay(tx, missing);
      return true;
    }
    const [over] = daysOver(partitions, new Date(wallNow.getTime() - KEPT_MS));
    if (over) await dropAttemptPartition(tx, over);
    else if (missing) this.tellOfNoDay(wallNow);
    return over !== undefined;
  }

  /** It does not end by itself where as many attempts are made in 30 days: a person has to hear of it. */
  private tellOfNoDay(wallNow: Date): void {
    if (wallNow.getTime() < this.tellFrom) return;
    this.tellFrom = wallNow.getTime() + TELL_AGAIN_MS;
    this.log.warn('no day of webhook attempts is made, as too many have none', {
      table: 'delivery_attempts_other',
      most: MOST_WITHOUT_DAY,
    });
  }
}

/** What is older, nobody is shown; nor has a replay that runs still to send it, which found its events when it was asked for. */
async function eventsNeededFrom(tx: Tx, wallNow: Date): Promise<Date> {
  const replays = await oldestRunningReplay(tx);
  const forReplays = (replays ?? wallNow).getTime() - KEPT_MS;
  return new Date(Math.min(wallNow.getTime() - EVENTS_KEPT_MS, forReplays));
}
