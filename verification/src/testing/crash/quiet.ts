import { waitFor } from '@fundrail/testing';
import type { Finding } from './finding.ts';
import type { DatabaseView } from './product-databases.ts';

const BUSINESS_NOW = `clock_timestamp() + (SELECT offset_ms FROM business_clock) * interval '1 millisecond'`;

/** The work that is still to be done in a service; one row each. */
const STILL_TO_HAPPEN = `
  SELECT 'event ' || type || ' ' || aggregate_id AS what FROM outbox WHERE published_at IS NULL
  UNION ALL SELECT 'due ' || kind || ' ' || key FROM due_work WHERE due_at <= ${BUSINESS_NOW}`;
const STILL_TO_SEND = `
  SELECT 'delivery ' || event AS what FROM webhook_deliveries WHERE status = 'pending'`;
const PENDING_CALLBACKS = `SELECT 'callback ' || reference AS what FROM callbacks WHERE ended IS NULL`;

/** Counts that only grow, and of which one grows with each step of the work from one place to the next. */
const STEPS = `SELECT count(*)::int AS written, count(published_at)::int AS published FROM outbox`;
const DELIVERY_STEPS = `
  SELECT count(*)::int AS written, count(*) FILTER (WHERE status <> 'pending')::int AS ended FROM webhook_deliveries`;
const CALLBACK_STEPS = `SELECT count(*)::int AS written, count(ended)::int AS ended FROM callbacks`;

/** Everything that is due, unpublished, undelivered, or a callback that is not sent yet. */
export async function unfinishedWork(databases: DatabaseView): Promise<Finding[]> {
  const found = await Promise.all([
    databases.everywhere<{ what: string }>(STILL_TO_HAPPEN),
    databases.rows<{ what: string }>('webhooks', STILL_TO_SEND),
    databases.rows<{ what: string }>('simulator', PENDING_CALLBACKS),
  ]);
  return found.flat().map(({ what }) => ({ kind: 'unfinished', what: `still to happen: ${what}` }));
}

/**
 * Whether a look that finds nothing is true of one moment. The places are read one after another: work that moves meanwhile from a
 * place that is read later to one that was read earlier is in neither. So nothing may have moved during the look.
 */
export async function isQuiet(databases: DatabaseView, look: () => Promise<Finding[]>): Promise<boolean> {
  const before = await steps(databases);
  return (await look()).length === 0 && (await steps(databases)) === before;
}

async function steps(databases: DatabaseView): Promise<string> {
  const counts = await Promise.all([
    databases.everywhere(STEPS),
    databases.rows('webhooks', DELIVERY_STEPS),
    databases.rows('simulator', CALLBACK_STEPS),
  ]);
  return JSON.stringify(counts);
}

/** Waits until all due work is done, every event is published and every webhook has arrived. Throws what is left. */
export async function untilQuiet(databases: DatabaseView, limitMs = 60_000): Promise<void> {
  let open: Finding[] = [];
  const look = async () => (open = await unfinishedWork(databases));
  await waitFor(() => isQuiet(databases, look), { limitMs, what: 'quiet' }).catch((error: unknown) => {
    throw new Error(open.map(({ what }) => what).join('; '), { cause: error });
  });
}
