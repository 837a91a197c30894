import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { removeOldDeliveries } from '../delivery/delivery.repository.ts';
import { removeOldEvents } from '../event/event.repository.ts';
import { oldestRunningReplay, removeOldReplays } from '../replay/webhook-replay.repository.ts';
import {
  copyFactsOfDay,
  dropAttemptPartition,
  hasTooManyWithoutDay,
  isOnlyOne,
  listAttemptPartitions,
  makeAttemptDay,
  MOST_WITHOUT_DAY,
  removeOldAttemptsWithoutDay,
} from './attempt-day.repository.ts';
import { daysOver, missingDays, type AttemptPartition } from './attempt-days.ts';

const DAY_MS = 24 * 60 * 60_000;
/** EVT-7: 30 days, by the wall clock. */
const KEPT_MS = 30 * DAY_MS;
/** Retention of events that are no longer shown: a replay that was requested at the last moment still finds its events. */
const EVENTS_KEPT_MS = 31 * DAY_MS;
const MOST = 2_000;
/** Wall milliseconds until a failed change of partitions is retried, so that long reads of attempts are not disturbed. */
const RETRY_DAY_MS = 60_000;
/** Wall milliseconds between two warnings that no day is created. */
const WARN_AGAIN_MS = 60 * 60_000;

/** How much of a day's facts is copied: the pages of its table before this one. */
interface CopiedPart {
  readonly name: string;
  readonly page: number;
}

/** The progress of a pass over old data. */
export interface Progress {
  /** Whether there is nothing left to do for now. */
  readonly isDone: boolean;
  /** The last checked event. An event with a pending delivery is skipped. */
  readonly event: string;
}

/**
 * Creates the coming days of attempts, drops old ones, and removes data older than 30 days, of which the facts stay as past ones. Each
 * small step is its own transaction, so a crash loses at most one step and leaves nothing half done. One replica at a time does it. Old
 * data is deleted even while no day can be created or dropped, and while the facts of a day are copied.
 */
@Injectable()
export class DeleteOld {
  private turnFrom = 0;
  /** How far the facts of the oldest day are copied. After a restart it begins again: copies are not made twice. */
  private copied: CopiedPart | null = null;
  private warnFrom = 0;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async execute(event: string): Promise<Progress> {
    const wallNow = this.clock.now();
    const hasTurned = await this.turnsDay(wallNow);
    return this.database.transaction(async (tx) => {
      if (!(await isOnlyOne(tx))) return { isDone: true, event: '' };
      const before = new Date(wallNow.getTime() - KEPT_MS);
      const attempts = await removeOldAttemptsWithoutDay(tx, before, MOST);
      const deliveries = await removeOldDeliveries(tx, before, MOST);
      // A full step means that more is left. Busy systems always have a few old rows, and events must still get their turn.
      if (attempts === MOST || deliveries === MOST) return { isDone: false, event };
      await removeOldReplays(tx, before);
      const last = await removeOldEvents(tx, {
        before: await eventsNeededFrom(tx, wallNow),
        after: event,
        most: MOST,
      });
      return { isDone: last === null && !hasTurned, event: last ?? '' };
    });
  }

  private async turnsDay(wallNow: Date): Promise<boolean> {
    if (wallNow.getTime() < this.turnFrom) return false;
    try {
      // What is copied counts once it is committed: a part that was rolled back must be copied again, or its facts go with the day.
      let { copied } = this;
      const hasTurned = await this.database.transaction(
        async (tx) => (await isOnlyOne(tx)) && this.turnDay(tx, wallNow, (part) => (copied = part)),
      );
      this.copied = copied;
      return hasTurned;
    } catch (error) {
      this.turnFrom = wallNow.getTime() + RETRY_DAY_MS;
      this.log.error('a partition of webhook attempts could not be created or dropped', error);
      return false;
    }
  }

  /** Creates or drops one partition. Returns false when there is nothing to do. */
  private async turnDay(tx: Tx, wallNow: Date, report: (part: CopiedPart) => void): Promise<boolean> {
    const partitions = await listAttemptPartitions(tx);
    const [missing] = missingDays(partitions, wallNow);
    if (missing && !(await hasTooManyWithoutDay(tx))) {
      await makeAttemptDay(tx, missing);
      return true;
    }
    const [over] = daysOver(partitions, new Date(wallNow.getTime() - KEPT_MS));
    if (over && (await this.hasCopiedAll(tx, over, report))) await dropAttemptPartition(tx, over);
    else if (over) return true;
    else if (missing) this.warnOfNoDay(wallNow);
    return over !== undefined;
  }

  /** Copies one part of a day. Returns whether it was the last. */
  private async hasCopiedAll(
    tx: Tx,
    day: AttemptPartition,
    report: (part: CopiedPart) => void,
  ): Promise<boolean> {
    const page = this.copied?.name === day.name ? this.copied.page : 0;
    const next = await copyFactsOfDay(tx, day, page);
    report({ name: day.name, page: next ?? page });
    return next === null;
  }

  /** This state can last when many attempts are made in 30 days, so an operator must be warned. */
  private warnOfNoDay(wallNow: Date): void {
    if (wallNow.getTime() < this.warnFrom) return;
    this.warnFrom = wallNow.getTime() + WARN_AGAIN_MS;
    this.log.warn('no partition of webhook attempts is created, because too many attempts have none', {
      table: 'delivery_attempts_other',
      most: MOST_WITHOUT_DAY,
    });
  }
}

/** Older events are no longer shown, and no running replay has to send them: a replay selects its events when it is requested. */
async function eventsNeededFrom(tx: Tx, wallNow: Date): Promise<Date> {
  const replays = await oldestRunningReplay(tx);
  const forReplays = (replays ?? wallNow).getTime() - KEPT_MS;
  return new Date(Math.min(wallNow.getTime() - EVENTS_KEPT_MS, forReplays));
}
