import { GroupedCalls } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { disableFailingWebhook } from '../notification-webhook/disable-failing-webhook.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { lockWebhook, updateHealth } from '../notification-webhook/notification-webhook.repository.ts';
import { insertAttempt, insertSuccesses, type Success } from './attempt.repository.ts';
import type { AttemptRow } from './attempt.table.ts';
import {
  afterAttempt,
  healthAfter,
  isSuccess,
  letsNextGo,
  nextAttempt,
  type AttemptAnswer,
} from './delivery.ts';
import { DELIVERIES_DUE, letNextDeliveryGo, lockDelivery, updateDelivery } from './delivery.repository.ts';
import { startHastening } from './hasten-backlog.ts';
import type { LeasedDelivery } from './due-delivery.repository.ts';
import { insertRepeatedFailures, type RepeatedFailure } from './repeated-failure.repository.ts';

/** Injection token of the source of jitter: a number in [0, 1). */
export const RANDOM = Symbol('fundrail:webhooks-random');

// The maximum number of attempts in one statement (decision 0006), and of concurrent statements.
const MOST_TOGETHER = 64;
const AT_ONCE = 2;
// Wall milliseconds for which successes are collected: those that are sent together are answered together.
const GATHER_SUCCESSES_MS = 5;
// Wall milliseconds until a success that was not stored is tried once more. Mostly the delivery's row was locked for a moment, because another
// event of its object was being stored behind it. The slow path costs eight statements and a commit.
const BUSY_MS = 10;
// Wall milliseconds for which repeated failures are collected: a dead endpoint is tried every 200 ms, and no caller waits for the record.
const GATHER_FAILURES_MS = 50;

type Times = Pick<AttemptRow, 'at' | 'stored_at'>;

/** `random` is the jitter of the next attempt. */
interface MadeAttempt {
  readonly delivery: LeasedDelivery;
  readonly leaseToken: string;
  readonly answer: AttemptAnswer;
  readonly random: number;
}

/**
 * Stores an attempt and its consequences: the delivery is done, retried later or given up; the endpoint is healthy, failing or disabled.
 */
@Injectable()
export class RecordAttempt {
  private readonly successes = new GroupedCalls<Success, boolean>(
    (group) => this.keep((times) => insertSuccesses(this.database, group, times)),
    MOST_TOGETHER,
    AT_ONCE,
    GATHER_SUCCESSES_MS,
  );
  private readonly failures = new GroupedCalls<MadeAttempt, boolean>(
    (group) => this.keep((times) => this.keepFailures(group, times)),
    MOST_TOGETHER,
    1,
    GATHER_FAILURES_MS,
  );
  /** Endpoints that this process is locking or has locked: one attempt of each at a time. */
  private readonly locking = new Map<string, Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(RANDOM) private readonly random: () => number,
  ) {}

  /**
   * An attempt that changes its endpoint is recorded under the endpoint's lock. Meanwhile, other attempts of that endpoint wait without a
   * database connection, because connections are few and shared. Most of them have nothing left to change afterwards: of many concurrent
   * failures, the first marks the endpoint as failing.
   */
  async execute(delivery: LeasedDelivery, leaseToken: string, answer: AttemptAnswer): Promise<void> {
    const made = { delivery, leaseToken, answer, random: this.random() };
    while (!(await this.recordWithoutLock(made))) {
      const other = this.locking.get(delivery.webhook);
      if (!other) return this.recordAlone(made);
      await other;
    }
  }

  private async recordAlone(made: MadeAttempt): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.locking.set(made.delivery.webhook, promise);
    try {
      await this.recordLocking(made);
    } finally {
      this.locking.delete(made.delivery.webhook);
      resolve();
    }
  }

  private async recordLocking({ delivery, leaseToken, answer, random }: MadeAttempt): Promise<void> {
    await this.database.transaction(async (tx) => {
      // Locks the endpoint before the delivery, as everywhere, so that transactions cannot deadlock.
      const endpoint = await lockWebhook(tx, delivery.tenant, delivery.webhook);
      const row = await lockDelivery(tx, delivery.tenant, delivery.id);
      if (!row) throw new Error(`${delivery.id} does not exist`);
      await insertAttempt(tx, delivery.tenant, {
        ...answer,
        delivery: delivery.id,
        url: delivery.url,
        at: tx.now,
        stored_at: this.clock.now(),
      });
      // A response of the previous URL does not count for the new one.
      const isOfOldUrl = endpoint !== null && endpoint.url !== delivery.url;
      const after = afterAttempt(row, { answer, leaseToken, random, now: tx.now, isOfOldUrl });
      await updateDelivery(tx, after);
      if (isOfOldUrl) tx.signal(DELIVERIES_DUE);
      if (letsNextGo(row, after)) await letNextDeliveryGo(tx, row, tx.now);
      if (endpoint?.status === 'enabled' && !isOfOldUrl) await this.followHealth(tx, endpoint, answer);
    });
  }

  /**
   * The fast path: a success of a healthy endpoint and a further failure of a failing one do not change the endpoint, so it is not
   * locked. With the lock, such attempts would be recorded one after the other, each with its own commit.
   */
  private async recordWithoutLock(made: MadeAttempt): Promise<boolean> {
    try {
      if (isSuccess(made.answer)) return await this.recordSuccess(made);
      // `Retry-After` changes the endpoint.
      return made.answer.retry_after_ms === null && (await this.failures.call(made));
    } catch {
      // An error must affect only the attempt that caused it, so each is then recorded alone.
      return false;
    }
  }

  private async recordSuccess(made: MadeAttempt): Promise<boolean> {
    const { tenant, webhook } = made.delivery;
    const success = { tenant, webhook, attempt: attemptOf(made) };
    if (await this.successes.call(success)) return true;
    await pause(BUSY_MS);
    return this.successes.call(success);
  }

  /** Leaves out the last attempts of deliveries, which the slow path records. */
  private async keepFailures(group: readonly MadeAttempt[], times: Times): Promise<boolean[]> {
    const failures = group.map((made) => failureOf(made, times.at)).filter((failure) => failure !== null);
    const kept = await insertRepeatedFailures(this.database, failures, times);
    return group.map(({ delivery }) => kept.has(delivery.id));
  }

  /** The lease of these deliveries went by the same clock of the sandbox, or an older one. */
  private keep(write: (times: Times) => Promise<boolean[]>): Promise<boolean[]> {
    return write({ at: this.database.lastNow(), stored_at: this.clock.now() });
  }

  private async followHealth(tx: Tx, endpoint: NotificationWebhookRow, answer: AttemptAnswer): Promise<void> {
    const health = healthAfter(endpoint, answer, tx.now);
    if (health.disable !== null) return disableFailingWebhook(tx, { ...endpoint, ...health }, health.disable);
    if (
      isSame(health.failing_since, endpoint.failing_since) &&
      isSame(health.paused_until, endpoint.paused_until)
    )
      return;
    await updateHealth(tx, { ...endpoint, ...health });
    if (endpoint.failing_since !== null && health.failing_since === null) await startHastening(tx, endpoint);
  }
}

function attemptOf({ delivery, answer }: MadeAttempt): RepeatedFailure['attempt'] {
  return { ...answer, delivery: delivery.id, url: delivery.url };
}

function failureOf(made: MadeAttempt, now: Date): RepeatedFailure | null {
  const { delivery, leaseToken } = made;
  const next = nextAttempt(delivery, { ...made, now });
  return next && { delivery, leaseToken, attempt: attemptOf(made), next };
}

function isSame(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime();
}
