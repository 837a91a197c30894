import { type ServiceName, SERVICES } from '@fundrail/contracts';
import pg from 'pg';
import { audit, type BuyerView, type WebhookView } from '../testing/crash/audit.ts';
import type { Finding } from '../testing/crash/finding.ts';
import { MANDATE_BREACHES, type Breach } from '../testing/crash/mandate-breaches.ts';
import * as mandates from '../testing/crash/mandate-walks.ts';
import type { DatabaseView } from '../testing/crash/product-databases.ts';
import { unfinishedWork } from '../testing/crash/quiet.ts';
import { CrashStage } from '../testing/crash/stage.ts';
import * as walks from '../testing/crash/walks.ts';

const PAID = `(SELECT min(id) FROM payments WHERE status = 'APPROVED')`;
const BOUGHT = `(SELECT min(id) FROM mf_orders WHERE state = 'successful')`;

const BREACHES: readonly Breach[] = [
  {
    what: 'a purchase that has not ended',
    of: 'orders',
    by: `UPDATE mf_orders SET state = 'submitted' WHERE id = ${BOUGHT}`,
    found: 'unfinished',
    says: 'every purchase has ended',
  },
  {
    what: 'a step of a purchase that is not in its history',
    of: 'orders',
    by: `DELETE FROM mf_order_history WHERE event_seq = 2`,
    found: 'out_of_order',
    says: 'the history of a purchase',
  },
  {
    what: 'an event that was never written',
    of: 'orders',
    by: `DELETE FROM outbox WHERE sequence = 2 AND aggregate_id = ${BOUGHT}`,
    found: 'lost',
    says: 'the events of a purchase are all there',
  },
  {
    what: 'a gap in the events of an aggregate',
    of: 'payments',
    by: `DELETE FROM outbox WHERE sequence = 2`,
    found: 'out_of_order',
    says: 'do not count from 1 without a gap',
  },
  {
    what: 'two events of an aggregate in the wrong order',
    of: 'payments',
    by: `UPDATE outbox o SET sequence = 1000 + o.sequence WHERE sequence IN (1, 2);
         UPDATE outbox o SET sequence = 1003 - o.sequence WHERE sequence > 1000`,
    found: 'out_of_order',
    says: 'was written before the one before it',
  },
  {
    what: 'a purchase that the client does not know',
    of: 'orders',
    by: `UPDATE mf_orders SET id = 'mfp_doubled' WHERE id = ${BOUGHT}`,
    found: 'doubled',
    says: 'purchase mfp_doubled',
  },
  {
    what: 'an accepted request without its stored answer',
    of: 'payments',
    by: `DELETE FROM idempotency_keys WHERE (tenant, key) IN (SELECT tenant, key FROM idempotency_keys ORDER BY created_at DESC LIMIT 1)`,
    found: 'lost',
    says: 'the answer of POST /api/pg/payments',
  },
  {
    what: 'a request that was never ended',
    of: 'payments',
    by: `UPDATE idempotency_keys SET status = NULL`,
    found: 'unfinished',
    says: 'a key was never completed',
  },
  {
    what: 'a claim that is not released',
    of: 'orders',
    by: `UPDATE mf_orders SET claimed_by = 1, claimed_at = now(), payment_id = 1 WHERE id = ${BOUGHT}`,
    found: 'unfinished',
    says: 'claim',
  },
  {
    what: 'two live payments of one order',
    of: 'payments',
    by: `DROP INDEX payment_orders_one_live; UPDATE payment_orders SET live = true`,
    found: 'doubled',
    says: 'an order has at most one live share',
  },
  {
    what: 'money that came in twice',
    of: 'payments',
    by: `INSERT INTO captures SELECT provider_name, provider_reference || '-2', tenant, payment_id, amount, currency, captured_at FROM captures WHERE payment_id = ${PAID}`,
    found: 'doubled',
    says: 'a payment is captured once',
  },
  {
    what: 'money that came in and is nowhere',
    of: 'payments',
    by: `DELETE FROM captures WHERE payment_id = ${PAID}`,
    found: 'lost',
    says: 'what was captured is what was paid',
  },
  {
    what: 'a refund that the provider has made twice under one receipt',
    of: 'simulator',
    by: `INSERT INTO sdk_refunds (id, payment_id, tenant, amount, receipt, notes, status, created_at)
      SELECT 'rfnd_again', payment_id, tenant, amount, receipt, notes, status, created_at FROM sdk_refunds`,
    found: 'doubled',
    says: 'is on the other side twice',
  },
  {
    what: 'a refund that never ended',
    of: 'payments',
    by: `UPDATE refunds SET status = 'CREATED'`,
    found: 'unfinished',
    says: 'a refund ends',
  },
  {
    what: 'a transfer of which the gateway knows nothing',
    of: 'simulator',
    by: `DELETE FROM transfers`,
    found: 'lost',
    says: 'transfer',
  },
  {
    what: 'a transfer that was made twice',
    of: 'simulator',
    by: `INSERT INTO transfers SELECT reference || '-2', payment_reference, tenant, shares, status, failure_code, created_at FROM transfers`,
    found: 'doubled',
    says: 'the money of a payment is transferred once',
  },
  {
    what: 'an event that was parked',
    of: 'webhooks',
    by: `INSERT INTO parked_events (consumer_group, event_id, topic, aggregate_id, sequence, envelope, status, error, tries)
         VALUES ('webhooks', 'evt_1', 'payment', '1', 1, '{}', 'failed', 'why', 5)`,
    found: 'unfinished',
    says: 'webhooks: parked: payment 1: why',
  },
  {
    what: 'work that is due',
    of: 'payments',
    by: `INSERT INTO due_work (kind, key, tenant, due_at) VALUES ('anything', '1', 'demo', now())`,
    found: 'unfinished',
    says: 'due anything 1',
  },
  {
    what: 'an event that is not published',
    of: 'payments',
    by: `UPDATE outbox SET published_at = NULL`,
    found: 'unfinished',
    says: 'event payment.',
  },
  {
    what: 'a delivery that has not been made',
    of: 'webhooks',
    by: `UPDATE webhook_deliveries SET status = 'pending', due_at = now()`,
    found: 'unfinished',
    says: 'delivery',
  },
];

describe('the audit', () => {
  let stage: CrashStage;
  let buyers: readonly BuyerView[];

  beforeAll(async () => {
    stage = await CrashStage.open();
    const buyer = stage.newBuyer();
    await Promise.all([
      walks.paid(buyer),
      walks.paidTooLate(buyer),
      walks.paidTooLateBySdk(buyer),
      mandates.approvedTwice(buyer),
    ]);
    await mandates.debited(buyer);
    // Days pass in that walk, and answers older than a day may be deleted.
    await walks.paid(buyer);
    expect(await stage.findings()).toEqual([]);
    ({ buyers } = stage);
  });
  afterAll(() => stage.close());

  /** The databases after that statement, in a transaction that is never committed. */
  async function after<T>(
    service: ServiceName,
    statement: string,
    look: (looks: DatabaseView) => Promise<T>,
  ) {
    const url = stage.databases.urls[`${service.toUpperCase()}_DATABASE_URL`];
    // One connection, so that every query runs in the transaction.
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    try {
      await pool.query(`BEGIN; ${statement}`);
      return await look(looksOf(service, pool));
    } finally {
      await pool.end();
    }
  }

  function looksOf(changed: ServiceName, pool: pg.Pool): DatabaseView {
    const rows = async <R>(service: ServiceName, text: string, values: unknown[] = []) =>
      service === changed
        ? ((await pool.query(text, values)).rows as R[])
        : stage.databases.rows<R>(service, text, values);
    const of = async <R>(service: ServiceName, text: string) =>
      (await rows<R>(service, text)).map((row) => ({ ...row, service }));
    const everywhere = async <R>(text: string) =>
      (await Promise.all(SERVICES.map((name) => of<R>(name, text)))).flat();
    return { rows, everywhere };
  }

  const inAll = async (looks: DatabaseView): Promise<Finding[]> => [
    ...(await audit(looks, buyers, stage.receiver)),
    ...(await unfinishedWork(looks)),
  ];

  it.each([...BREACHES, ...MANDATE_BREACHES])('finds $what', async ({ of, by, found, says }) => {
    const findings = await after(of, by, inAll);
    expect(findings).toContainEqual({ kind: found, what: expect.stringContaining(says) });
  });

  const received = () => stage.receiver.received;
  it.each([
    ['that was never made', 'lost', 'is on our side only', () => received().slice(1)],
    [
      'that belongs to no event',
      'doubled',
      'webhook evt_?',
      () => [...received(), { ...received()[0]!, webhook_id: 'evt_?' }],
    ],
    [
      'without a good signature',
      'lost',
      'has no good signature',
      () => received().map((one) => ({ ...one, verified: false })),
    ],
    ['before that of an earlier event', 'out_of_order', 'came before', () => received().toReversed()],
  ] as const)('finds a delivery %s', async (_what, kind, says, change) => {
    const changed: WebhookView = { received: change() };
    expect(await audit(stage.databases, buyers, changed)).toContainEqual({
      kind,
      what: expect.stringContaining(says),
    });
  });
});
