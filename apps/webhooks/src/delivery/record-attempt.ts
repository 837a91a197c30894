import { Database, type Tx } from '@fundrail/service-kit/db';
import { Inject, Injectable } from '@nestjs/common';
import { disableFailingWebhook } from '../notification-webhook/disable-failing-webhook.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.entity.ts';
import { lockWebhook, updateFailingSince } from '../notification-webhook/notification-webhook.repository.ts';
import { afterAttempt, healthAfter, isSuccess, type AttemptAnswer } from './delivery.ts';
import {
  hastenDeliveries,
  insertAttempt,
  insertSuccess,
  lockDelivery,
  updateDelivery,
} from './delivery.repository.ts';
import type { LeasedDelivery } from './due-delivery.repository.ts';

/** Injection token of the source of jitter: a number in [0, 1). */
export const RANDOM = Symbol('fundrail:webhooks-random');

/** Keeps an attempt and what follows from it: done, again later, given up; the endpoint well, failing or disabled. */
@Injectable()
export class RecordAttempt {
  constructor(
    private readonly database: Database,
    @Inject(RANDOM) private readonly random: () => number,
  ) {}

  async execute(delivery: LeasedDelivery, leaseToken: string, answer: AttemptAnswer): Promise<void> {
    if (isSuccess(answer) && (await this.recordSuccess(delivery, answer))) return;
    const random = this.random();
    await this.database.transaction(async (tx) => {
      // Endpoint before delivery, as everywhere: two transactions cannot wait for each other.
      const endpoint = await lockWebhook(tx, delivery.tenant, delivery.webhook);
      const row = await lockDelivery(tx, delivery.tenant, delivery.id);
      if (!row) throw new Error(`${delivery.id} is gone`);
      await insertAttempt(tx, delivery.tenant, { ...answer, delivery: delivery.id, at: tx.now });
      await updateDelivery(tx, afterAttempt(row, { answer, leaseToken, random, now: tx.now }));
      if (endpoint?.status === 'enabled') await this.followHealth(tx, endpoint, answer);
      // The place is free, and the object's next event may go.
      tx.signal('due');
    });
  }

  /**
   * An endpoint that is well and has answered well stays as it is, so it is not locked: its attempts would be recorded one
   * after the other, each through its own commit. A failure that is being recorded meanwhile counts as the later of the two.
   */
  private async recordSuccess(delivery: LeasedDelivery, answer: AttemptAnswer): Promise<boolean> {
    const at = await this.database.now();
    const isRecorded = await insertSuccess(this.database, delivery, { ...answer, delivery: delivery.id, at });
    if (isRecorded) this.database.signal('due');
    return isRecorded;
  }

  private async followHealth(tx: Tx, endpoint: NotificationWebhookRow, answer: AttemptAnswer): Promise<void> {
    const health = healthAfter(endpoint, answer, tx.now);
    if (health.disable !== null) return disableFailingWebhook(tx, { ...endpoint, ...health }, health.disable);
    if (health.failing_since?.getTime() === endpoint.failing_since?.getTime()) return;
    await updateFailingSince(tx, { ...endpoint, failing_since: health.failing_since });
    if (health.failing_since === null) await hastenDeliveries(tx, endpoint, tx.now);
  }
}
