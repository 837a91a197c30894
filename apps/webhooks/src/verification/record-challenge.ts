import { Log } from '@fundrail/service-kit';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { startHastening } from '../delivery/hasten-backlog.ts';
import { endDeliveries } from '../notification-webhook/end-deliveries.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { lockWebhook, updateVerification } from '../notification-webhook/notification-webhook.repository.ts';
import { afterChallenge, isUnverified } from './verification.ts';

/** The outcome of a challenge. `fault` is the reason for a failure, or null. */
interface ChallengeOutcome {
  readonly id: string;
  readonly fault: string | null;
  readonly retryAfterMs: number | null;
}

/**
 * Records the outcome of a challenge under the lock of the endpoint's row: the endpoint is verified, gets another challenge later, or has
 * failed.
 */
@Injectable()
export class RecordChallenge {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async execute(
    asked: Pick<NotificationWebhookRow, 'tenant' | 'id'>,
    outcome: ChallengeOutcome,
  ): Promise<void> {
    const after = await this.database.transaction(async (tx) => {
      const row = await lockWebhook(tx, asked.tenant, asked.id);
      const wallNow = this.clock.now();
      const next = row && afterChallenge(row, outcome, { now: tx.now, wallNow });
      if (!next) return null;
      await updateVerification(tx, next);
      if (isUnverified(row) && !isUnverified(next)) await startHastening(tx, next, { again: true });
      if (next.verification === 'verification_failed') await endDeliveries(tx, next);
      return next;
    });
    const facts = { webhook: asked.id, tenant: asked.tenant };
    if (!after) this.log.info('the answer to a challenge came too late to count', facts);
    else this.log.info('an endpoint was challenged', { ...facts, verification: after.verification });
  }
}
