import { newId } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { ChildService, createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { webhooksService } from './index.ts';
import { secretCell } from './notification-webhook/notification-webhook.ts';
import { newWebhookSecret } from './notification-webhook/webhook-secret.ts';
import { EndpointServer } from './testing/endpoint-server.ts';
import { NASTY, NastyServer } from './testing/nasty-server.ts';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const KEY = 'a-key-of-the-senders-that-die-0123456789';
const EVENTS = 400;
/** An idle process needs 200 MB. */
const MEMORY_MB = 450;
/** A port of this machine without a listener. */
const REFUSES = 'http://127.0.0.1:9/hooks';

interface Row {
  readonly webhook: string;
  readonly status: string;
  readonly due_at: Date | null;
  readonly attempts: number;
}

describe('endpoints that fail in every way, and a sender that is killed meanwhile', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const servers: { stop(): Promise<void> }[] = [];
  const senders: ChildService[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await Promise.all([...senders, ...servers].map((one) => ('kill' in one ? one.kill() : one.stop())));
    await client.end();
    await database.drop();
  });

  const startSender = async () => {
    const env = {
      SANDBOX: 'true',
      WEBHOOKS_DATABASE_URL: database.url,
      DATA_ENCRYPTION_KEY: KEY,
      KAFKA_BROKERS: undefined,
      EVENT_BUS: undefined,
      LOG_LEVEL: 'error',
      DUE_POLL_MS: '20',
      // The well-behaved endpoint answers in this time on a busy machine too; after some failures its next attempt is 5 minutes away.
      WEBHOOK_TIMEOUT_MS: '3000',
    };
    const sender = await ChildService.start({ main: MAIN, env, ready: /^fundrail webhooks is ready/m });
    senders.push(sender);
    return sender;
  };
  async function endpoint(id: string, url: string): Promise<void> {
    const secret = new DataCipher(KEY, { service: 'webhooks' }).encrypt(
      newWebhookSecret(),
      secretCell({ id, tenant: 'demo' }),
    );
    await client.query(
      `WITH pace AS (INSERT INTO endpoint_paces (webhook, tokens, at) VALUES ($1, 0, to_timestamp(0)))
       INSERT INTO notification_webhooks (id, tenant, url, events, status, secret_encrypted, created_at, updated_at)
       VALUES ($1, 'demo', $2, '{*}', 'enabled', $3, now(), now())`,
      [id, url, secret],
    );
  }
  /** Publishes events of different objects: all go to the healthy endpoint, a few to the others. */
  const publish = () =>
    client.query(
      `WITH e AS (
         INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
         SELECT $1 || n, 'demo', 'payment.updated', n, 'payment:' || n, 1, '{"id":"' || $1 || n || '"}', now(), now()
           FROM generate_series(1, $2::int) AS n RETURNING *)
       INSERT INTO webhook_deliveries
         (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
       SELECT 'whd_' || w.id || '_' || e.object_id, 'demo', w.id, e.id, e.type, e.object_id, e.subject, 1, 'pending', now(), now()
         FROM e CROSS JOIN notification_webhooks w WHERE w.id = 'well' OR e.object_id::int <= 20`,
      [newId('event'), EVENTS],
    );
  const deliveries = async () =>
    (
      await client.query<Row>(
        `SELECT webhook, status, due_at, (SELECT count(*)::int FROM delivery_attempts a WHERE a.delivery = d.id) AS attempts
           FROM webhook_deliveries d`,
      )
    ).rows;
  const peakMb = ({ pid }: ChildService) =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;

  it('loses no delivery, sends each with its id and bytes, and holds no more memory than it needs', async () => {
    // given
    const well = await EndpointServer.start();
    const gigabyte = await NastyServer.start(NASTY['sends 1 GB']);
    const others = await Promise.all([
      ...Object.values(NASTY).map((does) => NastyServer.start(does)),
      NastyServer.startSelfSigned(),
      NastyServer.startWithoutTls(),
    ]);
    servers.push(well, gigabyte, ...others);
    await endpoint('well', well.url);
    const nasty = [REFUSES, gigabyte.url, ...others.map(({ url }) => url)];
    // An open but silent socket: the handshake never ends.
    nasty.push(nasty[2]?.replace('http:', 'https:') ?? '');
    for (const [index, url] of nasty.entries()) await endpoint(`nasty_${index}`, url);
    await publish();
    // when
    const killed = await startSender();
    await waitFor(() => well.hits.length >= EVENTS / 8, { limitMs: 60_000 });
    await killed.end('SIGKILL');
    expect(new Set(well.hits.map(({ raw }) => raw)).size).toBeLessThan(EVENTS);
    const second = await startSender();
    // then: the deliveries that the first process had started are repeated when their leases expire
    const ids = () => new Set(well.hits.map(({ headers }) => headers['webhook-id']));
    await waitFor(() => ids().size === EVENTS, { limitMs: 60_000 });
    for (const { headers, raw } of well.hits) expect(raw).toBe(`{"id":"${headers['webhook-id']}"}`);
    const rows = await waitFor(
      async () => {
        const all = await deliveries();
        const tried = new Set(all.filter(({ attempts }) => attempts > 0).map(({ webhook }) => webhook));
        const taken = all.filter(({ webhook, status }) => webhook === 'well' && status === 'delivered');
        return tried.size === nasty.length + 1 && taken.length === EVENTS ? all : null;
      },
      { limitMs: 60_000 },
    );
    expect(rows).toHaveLength(EVENTS + 20 * nasty.length);
    // None is given up so soon, and each pending one has a due time.
    expect(
      rows.filter(({ status, due_at }) => status === 'failed' || (status === 'pending' && !due_at)),
    ).toEqual([]);
    expect(peakMb(second)).toBeLessThan(MEMORY_MB);
  });
});
