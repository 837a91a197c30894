import { sql, type Queryable } from '@fundrail/persistence';
import { BadEnvironment } from '../config/environment.ts';

/** How far clocks of computers may differ. A document of the far future would keep away all later ones. */
const MOST_AHEAD_MS = 86_400_000;

const claim = sql(
  'override_issue.claim',
  `UPDATE business_clock SET overrides_issued_at = $1 WHERE overrides_issued_at IS NULL OR overrides_issued_at <= $1
   RETURNING overrides_issued_at`,
);

/**
 * Ends a start with overrides of policies that were issued before others with which this service has started (POL-11), so that an old
 * document comes back only when it is signed again. Stores the time of newer ones. Throws `BadEnvironment`. `wallNow` is wall time.
 */
export async function claimOverrides(db: Queryable, issuedAt: string, wallNow: Date): Promise<void> {
  const issued = new Date(issuedAt);
  if (issued.getTime() > wallNow.getTime() + MOST_AHEAD_MS)
    throw new BadEnvironment(`POLICY_OVERRIDES: issued_at ${issuedAt} has not come yet`);
  if ((await db.query(claim, [issued])).length > 0) return;
  throw new BadEnvironment(
    `POLICY_OVERRIDES: issued_at ${issuedAt} is earlier than that of a document that was used here: sign it again with a new issued_at`,
  );
}
