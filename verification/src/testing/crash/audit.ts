import { EVENTS, type EventType, type ServiceName } from '@fundrail/contracts';
import type { WebhookReceiver } from '@fundrail/testing';
import type { Buyer } from './buyer.ts';
import { differences, type Finding } from './finding.ts';
import type { DatabaseView } from './product-databases.ts';
import { MANDATE_PAIRS } from './mandate-rules.ts';
import type { Pair } from './rule.ts';
import { breaches } from './rules.ts';

/** The client's side of an audit: what the buyers have recorded, and what their endpoint received. */
export type BuyerView = Pick<Buyer, 'orders' | 'payments' | 'mandates'> & {
  readonly client: Pick<Buyer['client'], 'accepted'>;
};
export type WebhookView = Pick<WebhookReceiver, 'received'>;

/** Everything that is wrong once all work has ended; empty when every rule holds. */
export async function audit(
  databases: DatabaseView,
  buyers: readonly BuyerView[],
  receiver: WebhookView,
): Promise<Finding[]> {
  const found = await Promise.all([
    breaches(databases),
    booksOf(databases, buyers),
    answers(databases, buyers),
    agree(databases),
    webhooks(databases, receiver),
  ]);
  return found.flat();
}

/** The client knows each purchase, each payment and each mandate: nothing was created twice. */
async function booksOf(databases: DatabaseView, buyers: readonly BuyerView[]): Promise<Finding[]> {
  const orders = await column(databases, 'orders', 'SELECT id AS value FROM mf_orders');
  const payments = await column(databases, 'payments', 'SELECT id::text AS value FROM payments');
  const mandates = await column(databases, 'mandates', 'SELECT id::text AS value FROM mandates');
  const ordered = buyers.flatMap((buyer) => [...buyer.orders]);
  const paid = buyers.flatMap((buyer) => [...buyer.payments].map(String));
  const authorised = buyers.flatMap((buyer) => [...buyer.mandates].map(String));
  const kinds = { onlyHere: 'doubled', onlyThere: 'lost' } as const;
  return [
    ...differences('purchase', orders, ordered, kinds),
    ...differences('payment', payments, paid, kinds),
    ...differences('mandate', mandates, authorised, kinds),
  ];
}

/** The answer of every successful request is still stored: no crash has lost one. Answers are kept for 24 hours, longer than any run. */
async function answers(databases: DatabaseView, buyers: readonly BuyerView[]): Promise<Finding[]> {
  const known = await databases.everywhere<{ value: string }>(
    `SELECT key || ' ' || status AS value FROM idempotency_keys WHERE status IS NOT NULL`,
  );
  const kept = new Set(known.map(({ value }) => value));
  return buyers
    .flatMap(({ client }) => client.accepted)
    .filter(({ key, status }) => !kept.has(`${key} ${status}`))
    .map(({ key, request }) => ({
      kind: 'lost',
      what: `the answer of ${request} under ${key} is not known any more`,
    }));
}

/** The facts of the product, and the same facts in another service, or at the simulated gateway and provider. */
const PAIRS: readonly Pair[] = [
  {
    // Every claim of an order belongs to a live or a successful payment, and every live share has its claim.
    what: 'claim',
    of: 'orders',
    ours: `SELECT old_id || ' by ' || claimed_by AS value FROM mf_orders WHERE claimed_by IS NOT NULL`,
    at: 'payments',
    theirs: `SELECT s.old_id || ' by ' || s.payment_id AS value FROM payment_orders s WHERE s.live`,
    kinds: { onlyHere: 'unfinished', onlyThere: 'lost' },
  },
  {
    what: 'order at the gateway',
    of: 'orders',
    // A skipped installment is created as cancelled, and is never sent to the gateway.
    ours: `SELECT id || ' ' || coalesce(order_reference, '-') AS value FROM mf_orders o WHERE NOT EXISTS
        (SELECT FROM mf_order_history h WHERE h.old_id = o.old_id AND h.trigger = 'create_skipped')`,
    at: 'simulator',
    theirs: `SELECT reference || ' ' || coalesce(order_reference, '-') AS value FROM gateway_orders`,
    kinds: { onlyHere: 'lost', onlyThere: 'lost' },
  },
  {
    what: 'capture',
    of: 'payments',
    ours: `SELECT payment_id || ' ' || provider_reference || ' ' || amount AS value FROM captures`,
    at: 'simulator',
    theirs: `SELECT payment_id || ' ' || provider_reference || ' ' || amount AS value FROM provider_payments
        WHERE status = 'captured' AND provider = 'gatewaypoa' AND kind <> 'authorisation'
      UNION ALL SELECT p.payment_id || ' ' || a.id || ' ' || a.amount FROM sdk_payments a
        JOIN sdk_orders o ON o.id = a.order_id JOIN provider_payments p USING (reference)
        WHERE a.status = 'captured' AND p.kind <> 'authorisation'`,
    kinds: { onlyHere: 'doubled', onlyThere: 'lost' },
  },
  {
    what: 'transfer',
    of: 'payments',
    ours: `SELECT transfer_reference AS value FROM payments WHERE status = 'APPROVED'`,
    at: 'simulator',
    theirs: `SELECT reference AS value FROM transfers WHERE status = 'settled'`,
    kinds: { onlyHere: 'lost', onlyThere: 'doubled' },
  },
  {
    what: 'refund',
    of: 'payments',
    ours: `SELECT reference || ' ' || amount AS value FROM refunds WHERE returned_by = 'provider' AND status = 'SUCCESSFUL'`,
    at: 'simulator',
    theirs: `SELECT reference || ' ' || amount AS value FROM refunds WHERE status = 'processed'
      UNION ALL SELECT coalesce(receipt, id) || ' ' || amount FROM sdk_refunds WHERE status = 'processed'`,
    kinds: { onlyHere: 'lost', onlyThere: 'doubled' },
  },
  ...MANDATE_PAIRS,
];

/** Both sides of each pair know the same facts, each once. */
async function agree(databases: DatabaseView): Promise<Finding[]> {
  const found = PAIRS.map(async ({ what, of, ours, at, theirs, kinds }) =>
    differences(what, await column(databases, of, ours), await column(databases, at, theirs), kinds),
  );
  return (await Promise.all(found)).flat();
}

/** The columns of a service's outbox that determine the order of webhooks. */
export interface EmittedEvent {
  readonly service: ServiceName;
  readonly id: string;
  readonly type: EventType;
  readonly object: string;
  readonly sequence: number;
}

/** Every public event arrived under its own id, and the first arrivals of each object's events are in order. */
async function webhooks(databases: DatabaseView, receiver: WebhookView): Promise<Finding[]> {
  const outbox = await databases.everywhere<Omit<EmittedEvent, 'service'>>(
    'SELECT event_id AS id, type, aggregate_id AS object, sequence FROM outbox ORDER BY aggregate_id, sequence',
  );
  const emitted = outbox.filter(({ type }) => EVENTS[type].public);
  const arrived = [...new Set(receiver.received.map(({ webhook_id }) => webhook_id))];
  const unsigned = receiver.received.filter(({ verified }) => verified !== true);
  const ids = emitted.map(({ id }) => id);
  return [
    ...differences('webhook', ids, arrived, { onlyHere: 'lost', onlyThere: 'doubled' }),
    ...unsigned.map(({ webhook_id }): Finding => ({
      kind: 'lost',
      what: `webhook ${webhook_id} has no good signature`,
    })),
    ...overtaken(emitted, arrived),
  ];
}

/**
 * Events that arrived before their predecessor. `emitted`: for each service, the events of each object in order. Ids are unique only
 * within a service: payment 1001 and mandate 1001 are two objects.
 */
export function overtaken(emitted: readonly EmittedEvent[], arrived: readonly string[]): Finding[] {
  const at = new Map(arrived.map((id, index) => [id, index]));
  const late = emitted.filter(({ service, id, object }, index) => {
    const before = emitted[index - 1];
    return (
      before?.service === service && before.object === object && (at.get(before.id) ?? 0) > (at.get(id) ?? 0)
    );
  });
  return late.map(({ type, object, sequence }) => ({
    kind: 'out_of_order',
    what: `the webhook of ${type} ${sequence} of ${object} came before that of the event before it`,
  }));
}

async function column(databases: DatabaseView, service: ServiceName, query: string): Promise<string[]> {
  return (await databases.rows<{ value: string }>(service, query)).map(({ value }) => value);
}
