import { newId } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { WebhooksConfig } from '../config.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import { lockWebhook, updateVerification } from '../notification-webhook/notification-webhook.repository.ts';
import { challengesSince, insertChallenge, lockChallenges } from './challenge.repository.ts';
import { CHALLENGE_WINDOW_MS, challengeWait, hostOf, isChallengeDue } from './verification.ts';

/** The result for a due challenge: it may be sent with that id, it has to wait for its limit, or another process has started it. */
type StartedChallenge = Challenge | 'later' | 'not_due';

/** A challenge that may be sent. `now` is business time. */
export interface Challenge {
  readonly id: string;
  readonly webhook: NotificationWebhookRow;
  readonly now: Date;
}

/**
 * Starts a due challenge: counts it, and stores its id with the endpoint. Only one of two concurrent replicas succeeds. If the process
 * dies before it has recorded the answer, the endpoint is due again after `challenge_until`, and gets another challenge.
 */
@Injectable()
export class StartChallenge {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: WebhooksConfig,
  ) {}

  execute(tenant: string, id: string): Promise<StartedChallenge> {
    return this.database.transaction(async (tx): Promise<StartedChallenge> => {
      await lockChallenges(tx, tenant);
      const row = await lockWebhook(tx, tenant, id);
      const wallNow = this.clock.now();
      if (!row || !isChallengeDue(row, tx.now, wallNow)) return 'not_due';
      const target = { webhook: id, host: hostOf(row.url) };
      const since = new Date(wallNow.getTime() - CHALLENGE_WINDOW_MS);
      const wait = challengeWait(await challengesSince(tx, tenant, since), target, wallNow);
      if (wait > 0) {
        await updateVerification(tx, { ...row, challenge_due_at: new Date(tx.now.getTime() + wait) });
        return 'later';
      }
      const challenge = newId('endpointChallenge');
      const webhook = {
        ...row,
        challenge,
        challenge_until: new Date(wallNow.getTime() + this.config.leaseMs),
      };
      await insertChallenge(tx, { id: challenge, tenant, ...target, at: wallNow }, since);
      await updateVerification(tx, webhook);
      return { id: challenge, webhook, now: tx.now };
    });
  }
}
