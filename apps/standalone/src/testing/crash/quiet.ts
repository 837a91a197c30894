import { waitFor } from '@fundrail/testing';
import type { Finding } from './finding.ts';
import type { DatabaseLooks } from './product-databases.ts';

const BUSINESS_NOW = `clock_timestamp() + (SELECT offset_ms FROM business_clock) * interval '1 millisecond'`;

/** What has still to happen in any service; a row each. */
const STILL_TO_HAPPEN = `
  SELECT 'event ' || type || ' ' || aggregate_id AS what FROM outbox WHERE published_at IS NULL
  UNION ALL SELECT 'due ' || kind || ' ' || key FROM due_work WHERE due_at <= ${BUSINESS_NOW}`;
const STILL_TO_SEND = `
  SELECT 'delivery ' || event AS what FROM webhook_deliveries WHERE status = 'pending'`;
const STILL_TO_TELL = `SELECT 'callback ' || reference AS what FROM callbacks WHERE ended IS NULL`;

/** All that is due, unpublished, undelivered or untold at this moment. */
export async function unfinishedWork(databases: DatabaseLooks): Promise<Finding[]> {
  const found = await Promise.all([
    databases.everywhere<{ what: string }>(STILL_TO_HAPPEN),
    databases.rows<{ what: string }>('webhooks', STILL_TO_SEND),
    databases.rows<{ what: string }>('simulator', STILL_TO_TELL),
  ]);
  return found.flat().map(({ what }) => ({ kind: 'unfinished', what: `still to happen: ${what}` }));
}

/** Waits until all that is due has been worked, every event is out and every webhook has arrived. Throws what is left. */
export async function untilQuiet(databases: DatabaseLooks, limitMs = 30_000): Promise<void> {
  let open: Finding[] = [];
  const isQuiet = async () => (open = await unfinishedWork(databases)).length === 0;
  await waitFor(isQuiet, { limitMs, what: 'quiet' }).catch((error: unknown) => {
    throw new Error(open.map(({ what }) => what).join('; '), { cause: error });
  });
}
