import { Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { DELIVERIES_DUE } from '../delivery/delivery.repository.ts';
import { lockWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { afterMaking, ROOM_BELOW, roomFor, settledReplay } from './webhook-replay.ts';
import {
  findMovingReplay,
  insertReplayDeliveries,
  lockReplay,
  pendingOfReplay,
  REPLAYED_DUE,
  REPLAYS_DUE,
  updateReplay,
  type ReplayKey,
} from './webhook-replay.repository.ts';

/**
 * Creates the deliveries of replays, one window at a time, so that a month of events does not become a million rows at once. Completes
 * finished replays.
 */
@Injectable()
export class ReplayLane extends DueLane {
  readonly name = 'webhook-replays';
  override readonly signal = REPLAYS_DUE;
  /** Each end of a replayed attempt wakes it. */
  override readonly restMs = 20;
  /** A jump of the sandbox clock does not stop for replays. */
  override readonly isStep = false;

  constructor(private readonly database: Database) {
    super();
  }

  /** Replays are due when there is room, not at a time. */
  async earliestDue(before: Date): Promise<Date | null> {
    return (await findMovingReplay(this.database, ROOM_BELOW)) && before;
  }

  async run(): Promise<number> {
    const key = await findMovingReplay(this.database, ROOM_BELOW);
    if (!key) return 0;
    await this.move(key);
    return 1;
  }

  private move(key: ReplayKey): Promise<void> {
    return this.database.transaction(async (tx) => {
      // Locks the endpoint before the replay: a transaction that disables an endpoint holds its lock while it cancels replays.
      await lockWebhook(tx, key.tenant, key.webhook);
      const row = await lockReplay(tx, key);
      if (row?.status !== 'running') return;
      const under = await pendingOfReplay(tx, row.id);
      const most = roomFor(row, under);
      if (most === 0) return updateReplay(tx, settledReplay(row, under.pending, tx.now));
      const batch = await insertReplayDeliveries(tx, row, { most, now: tx.now });
      const made = afterMaking(row, { asked: most, ...batch });
      await updateReplay(tx, settledReplay(made, under.pending + batch.made, tx.now));
      tx.signal(REPLAYED_DUE);
      tx.signal(DELIVERIES_DUE);
    });
  }
}
