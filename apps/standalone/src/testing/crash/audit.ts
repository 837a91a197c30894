import { EVENTS, type EventType } from '@fundrail/contracts';
import { waitFor, type WebhookReceiver } from '@fundrail/testing';
import type { Buyer } from './buyer.ts';
import type { ProductDatabases, ProductService } from './product-databases.ts';

const BUSINESS_NOW = `clock_timestamp() + (SELECT offset_ms FROM business_clock) * interval '1 millisecond'`;

/** What has still to happen in any service; a row each. */
const STILL_TO_HAPPEN = `
  SELECT 'event ' || type || ' ' || aggregate_id AS what FROM outbox WHERE published_at IS NULL
  UNION ALL SELECT 'due ' || kind || ' ' || key FROM due_work WHERE due_at <= ${BUSINESS_NOW}`;
const STILL_TO_SEND = `
  SELECT 'delivery ' || event AS what FROM webhook_deliveries WHERE status = 'pending'`;
const STILL_TO_TELL = `SELECT 'callback ' || reference AS what FROM callbacks WHERE ended IS NULL`;

/** Waits until all that is due has been worked, every event is out and every webhook has arrived. */
export async function untilQuiet(databases: ProductDatabases, limitMs = 30_000): Promise<void> {
  let open: string[] = [];
  const isQuiet = async () => {
    const found = await Promise.all([
      databases.everywhere<{ what: string }>(STILL_TO_HAPPEN),
      databases.rows<{ what: string }>('webhooks', STILL_TO_SEND),
      databases.rows<{ what: string }>('simulator', STILL_TO_TELL),
    ]);
    open = found.flat().map(({ what }) => what);
    return open.length === 0;
  };
  await waitFor(isQuiet, { limitMs, what: 'quiet' }).catch((error: unknown) => {
    throw new Error(`still to happen: ${open.join('; ')}`, { cause: error });
  });
}

/** A rule that a query shows the breaches of: each row is one, its `what` says which. */
interface Rule {
  readonly of: ProductService;
  readonly says: string;
  readonly breaches: string;
}

const RULES: readonly Rule[] = [
  {
    of: 'orders',
    says: 'every purchase has ended',
    breaches: `SELECT id || ' is ' || state AS what FROM mf_orders WHERE state NOT IN ('successful', 'failed', 'cancelled')`,
  },
  {
    of: 'orders',
    says: 'the history of a purchase counts from 1 without a gap',
    breaches: `SELECT o.id AS what FROM mf_orders o LEFT JOIN mf_order_history h USING (old_id) GROUP BY o.id, o.event_seq
      HAVING count(h) <> o.event_seq OR min(h.event_seq) <> 1 OR max(h.event_seq) <> o.event_seq`,
  },
  {
    of: 'orders',
    says: 'the events of a purchase are all there',
    breaches: `SELECT o.id AS what FROM mf_orders o LEFT JOIN outbox e ON e.aggregate_id = o.id GROUP BY o.id, o.event_seq
      HAVING count(e) <> o.event_seq`,
  },
  {
    of: 'payments',
    says: 'every payment has ended',
    breaches: `SELECT id || ' is ' || status AS what FROM payments WHERE status NOT IN ('APPROVED', 'FAILED', 'REJECTED')`,
  },
  {
    of: 'payments',
    says: 'every event of a payment is there',
    breaches: `SELECT p.id::text AS what FROM payments p LEFT JOIN outbox e ON e.aggregate_id = p.id::text
      GROUP BY p.id HAVING count(e) <> p.event_seq`,
  },
  {
    of: 'payments',
    says: 'a payment makes each step once',
    breaches: `SELECT payment_id || ' ' || to_status AS what FROM payment_history WHERE from_status <> to_status
      GROUP BY payment_id, to_status HAVING count(*) > 1`,
  },
  {
    of: 'payments',
    says: 'an order is paid once: what came in stays with one payment',
    breaches: `SELECT s.old_id::text AS what FROM payment_orders s JOIN payments p ON p.id = s.payment_id
      WHERE p.received_amount > p.refunded_amount GROUP BY s.old_id HAVING count(*) > 1`,
  },
  {
    of: 'payments',
    says: 'what was captured is what was paid, once, or was given back',
    breaches: `SELECT p.id || ' ' || p.status AS what FROM payments p LEFT JOIN captures c ON c.payment_id = p.id
      GROUP BY p.id HAVING count(c) > 1
        OR coalesce(sum(c.amount), 0) <> p.received_amount
        OR p.received_amount - p.refunded_amount <> CASE p.status WHEN 'APPROVED' THEN p.amount ELSE 0 END`,
  },
  {
    of: 'payments',
    says: 'an order has at most one live share, and a dead payment none',
    breaches: `SELECT s.old_id::text AS what FROM payment_orders s JOIN payments p ON p.id = s.payment_id
      WHERE s.live GROUP BY s.old_id HAVING count(*) > 1 OR bool_or(p.status IN ('FAILED', 'REJECTED'))`,
  },
  {
    of: 'payments',
    says: 'a refund ends',
    breaches: `SELECT reference AS what FROM refunds WHERE status <> 'SUCCESSFUL' AND returned_by = 'provider'`,
  },
  {
    of: 'simulator',
    says: 'the money of a payment is transferred once, all of it',
    breaches: `SELECT p.reference AS what FROM provider_payments p JOIN transfers t ON t.payment_reference = p.reference
      GROUP BY p.reference HAVING count(*) > 1 OR bool_or(t.status <> 'settled') OR bool_or(p.status <> 'captured')`,
  },
];

/** Holds in each service. */
const EVERYWHERE = `
  SELECT 'events of ' || aggregate_id || ' do not count from 1 without a gap' AS what FROM outbox
   GROUP BY aggregate_id HAVING min(sequence) <> 1 OR max(sequence) <> count(*)
  UNION ALL SELECT 'parked: ' || topic || ' ' || aggregate_id || ': ' || coalesce(error, '') FROM parked_events
  UNION ALL SELECT 'a key was never completed: ' || key FROM idempotency_keys WHERE status IS NULL`;

/** All that is wrong once everything is quiet; nothing, when the rules have held whatever happened. */
export async function audit(
  databases: ProductDatabases,
  buyers: readonly Buyer[],
  receiver: WebhookReceiver,
): Promise<string[]> {
  const ruled = RULES.map(async ({ of, says, breaches }) =>
    (await databases.rows<{ what: string }>(of, breaches)).map(({ what }) => `${says}: ${what}`),
  );
  const found = await Promise.all([
    ...ruled,
    databases
      .everywhere<{ what: string }>(EVERYWHERE)
      .then((rows) => rows.map((row) => `${row.service}: ${row.what}`)),
    booksOf(databases, buyers),
    claims(databases),
    outside(databases),
    webhooks(databases, receiver),
  ]);
  return found.flat();
}

/** The client knows of each purchase and each payment: nothing was made twice. */
async function booksOf(databases: ProductDatabases, buyers: readonly Buyer[]): Promise<string[]> {
  const orders = await column(databases, 'orders', 'SELECT id AS value FROM mf_orders');
  const payments = await column(databases, 'payments', 'SELECT id::text AS value FROM payments');
  const ordered = buyers.flatMap((buyer) => [...buyer.orders]);
  const paid = buyers.flatMap((buyer) => [...buyer.payments].map(String));
  return [...differences('purchase', orders, ordered), ...differences('payment', payments, paid)];
}

/** Whoever holds an order is a payment that lives, or has lived to its good end; and a live share has its claim. */
async function claims(databases: ProductDatabases): Promise<string[]> {
  const held = await column(
    databases,
    'orders',
    `SELECT old_id || ' by ' || claimed_by AS value FROM mf_orders WHERE claimed_by IS NOT NULL`,
  );
  const shares = await column(
    databases,
    'payments',
    `SELECT s.old_id || ' by ' || s.payment_id AS value FROM payment_orders s WHERE s.live`,
  );
  return differences('claim', held, shares);
}

/** The played gateway and provider know what we know, in effect once. */
async function outside(databases: ProductDatabases): Promise<string[]> {
  const pairs = [
    [
      'purchase at the gateway',
      'orders',
      `SELECT id || ' ' || coalesce(order_reference, '-') AS value FROM mf_orders`,
      `SELECT reference || ' ' || coalesce(order_reference, '-') AS value FROM gateway_orders`,
    ],
    [
      'capture',
      'payments',
      `SELECT payment_id || ' ' || provider_reference || ' ' || amount AS value FROM captures`,
      `SELECT payment_id || ' ' || provider_reference || ' ' || amount AS value FROM provider_payments WHERE status = 'captured'`,
    ],
    [
      'transfer',
      'payments',
      `SELECT transfer_reference AS value FROM payments WHERE status = 'APPROVED'`,
      `SELECT reference AS value FROM transfers WHERE status = 'settled'`,
    ],
    [
      'refund',
      'payments',
      `SELECT reference || ' ' || amount AS value FROM refunds WHERE returned_by = 'provider' AND status = 'SUCCESSFUL'`,
      `SELECT reference || ' ' || amount AS value FROM refunds WHERE status = 'processed'`,
    ],
  ] as const;
  const found = await Promise.all(
    pairs.map(async ([what, service, ours, theirs]) =>
      differences(what, await column(databases, service, ours), await column(databases, 'simulator', theirs)),
    ),
  );
  return found.flat();
}

/** Every public event arrived, under its own id, and each object's in their order at their first arrival. */
async function webhooks(databases: ProductDatabases, receiver: WebhookReceiver): Promise<string[]> {
  const emitted = (
    await databases.everywhere<{ id: string; type: EventType; object: string; sequence: number }>(
      'SELECT event_id AS id, type, aggregate_id AS object, sequence FROM outbox ORDER BY aggregate_id, sequence',
    )
  ).filter(({ type }) => EVENTS[type].public);
  const first = [...new Set(receiver.received.map(({ webhook_id }) => webhook_id))];
  const at = new Map(first.map((id, index) => [id, index]));
  const unsigned = receiver.received.filter(({ verified }) => verified !== true);
  const late = emitted.filter(({ id, object }, index) => {
    const before = emitted[index - 1];
    return before?.object === object && (at.get(before.id) ?? 0) > (at.get(id) ?? 0);
  });
  return [
    ...differences(
      'webhook',
      emitted.map(({ id }) => id),
      first,
    ),
    ...unsigned.map(({ webhook_id }) => `webhook ${webhook_id} has no good signature`),
    ...late.map(
      ({ type, object, sequence }) => `${type} ${sequence} of ${object} came before the event before it`,
    ),
  ];
}

async function column(
  databases: ProductDatabases,
  service: ProductService,
  query: string,
): Promise<string[]> {
  return (await databases.rows<{ value: string }>(service, query)).map(({ value }) => value);
}

function differences(what: string, here: readonly string[], there: readonly string[]): string[] {
  const [ours, theirs] = [new Set(here), new Set(there)];
  const repeated = ours.size < here.length ? [`${what}: one is there twice`] : [];
  const missing = here
    .filter((value) => !theirs.has(value))
    .map((value) => `${what} ${value} is on one side only`);
  const surplus = there
    .filter((value) => !ours.has(value))
    .map((value) => `${what} ${value} is on the other side only`);
  return [...repeated, ...missing, ...surplus];
}
