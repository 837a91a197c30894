import { sql, type Queryable } from '@fundrail/persistence';
import type { SentChallenge } from './verification.ts';

// Serialises the challenges of a tenant. Otherwise two replicas could both see room for one.
const lock = sql(
  'endpoint_challenges.lock_tenant',
  "SELECT pg_advisory_xact_lock(hashtextextended('webhooks.challenges.' || $1, 0))",
);
const list = sql(
  'endpoint_challenges.list',
  'SELECT webhook, host, at FROM endpoint_challenges WHERE tenant = $1 AND at > $2 ORDER BY at, id',
);
// Also deletes challenges that are no longer counted, so a tenant never has more rows than its limit plus one.
const insert = sql(
  'endpoint_challenges.insert',
  `WITH gone AS (DELETE FROM endpoint_challenges WHERE tenant = $2 AND at <= $6)
   INSERT INTO endpoint_challenges (id, tenant, webhook, host, at) VALUES ($1, $2, $3, $4, $5)`,
);
const due = sql(
  'notification_webhooks.due_challenges',
  `SELECT tenant, id FROM (
     SELECT tenant, id, challenge_due_at, row_number() OVER (PARTITION BY tenant ORDER BY challenge_due_at, id) AS place
       FROM notification_webhooks
      WHERE challenge_due_at <= $1 AND status = 'enabled' AND deleted_at IS NULL
        AND (challenge_until IS NULL OR challenge_until <= $2) AND NOT tenant = ANY($3::text[])) one
    WHERE place <= $4 ORDER BY place, challenge_due_at, id LIMIT $5`,
);
const earliest = sql(
  'notification_webhooks.earliest_challenge',
  `SELECT min(challenge_due_at) AS due_at FROM notification_webhooks
    WHERE challenge_due_at <= $1 AND status = 'enabled' AND deleted_at IS NULL
      AND (challenge_until IS NULL OR challenge_until <= $2)`,
);

/** The signal of commits that make a challenge due. */
export const CHALLENGES_DUE = 'due:endpoint-challenges';

/** Until the transaction ends, no other transaction starts a challenge of the tenant. Take this lock before any endpoint of the tenant. */
export async function lockChallenges(tx: Queryable, tenant: string): Promise<void> {
  await tx.query(lock, [tenant]);
}

/** The challenges of a tenant that were sent after that wall time, oldest first. */
export async function challengesSince(
  tx: Queryable,
  tenant: string,
  since: Date,
): Promise<readonly SentChallenge[]> {
  return tx.query<SentChallenge>(list, [tenant, since]);
}

/** Stores a challenge, and deletes those of the tenant that were sent until `since`. */
export async function insertChallenge(
  tx: Queryable,
  challenge: SentChallenge & { readonly id: string; readonly tenant: string },
  since: Date,
): Promise<void> {
  const { id, tenant, webhook, host, at } = challenge;
  await tx.query(insert, [id, tenant, webhook, host, at, since]);
}

/** The endpoints to challenge at `now`: at most `perTenant` of each tenant, and none of the tenants in `without`. */
export async function dueChallenges(
  tx: Queryable,
  asked: {
    readonly now: Date;
    readonly wallNow: Date;
    readonly without: readonly string[];
    readonly perTenant: number;
    readonly most: number;
  },
): Promise<{ readonly tenant: string; readonly id: string }[]> {
  const { now, wallNow, without, perTenant, most } = asked;
  return tx.query<{ tenant: string; id: string }>(due, [now, wallNow, without, perTenant, most]);
}

/** The due time of the first challenge, if not after `before`; else null. */
export async function earliestDueChallenge(tx: Queryable, before: Date, wallNow: Date): Promise<Date | null> {
  const [row] = await tx.query<{ due_at: Date | null }>(earliest, [before, wallNow]);
  return row?.due_at ?? null;
}
