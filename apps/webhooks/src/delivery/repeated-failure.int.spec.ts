import { createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { DeliveryMachine } from '../testing/delivery-machine.ts';
import { queryableOf } from '../testing/queryable-of.ts';
import { insertRepeatedFailures } from './repeated-failure.repository.ts';

const REFUSED = {
  webhook_timestamp: null,
  status: 500,
  duration_ms: 1,
  error: null,
  response_body: 'no',
  retry_after_ms: null,
};
const DAY = 24 * 3_600_000;

/** An attempt outside the fast path locks the endpoint, and in this test the lock is not available. */
describe('a failure of an endpoint that has failed before', () => {
  let database: TestDatabase;
  let machine: DeliveryMachine;
  let other: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    const briefly = new URL(database.url);
    briefly.searchParams.set('options', '-c lock_timeout=300ms');
    machine = new DeliveryMachine(briefly.href);
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
  });
  beforeEach(() => machine.begin());
  afterEach(() => other.query('ROLLBACK'));
  afterAll(async () => {
    await Promise.all([machine.end(), other.end()]);
    await database.drop();
  });

  /** An endpoint whose first delivery failed, and its second delivery, which is leased. */
  async function secondDelivery() {
    await machine.publish({ object: 'A', sequence: 1 });
    await fail(await machine.lease());
    machine.clock.advance(1_000);
    await machine.publish({ object: 'B', sequence: 1 });
    return machine.lease();
  }
  async function fail({ leased, token }: Awaited<ReturnType<DeliveryMachine['lease']>>, over = {}) {
    const [delivery] = leased;
    if (!delivery) throw new Error('no delivery is due');
    await machine.record(delivery, token, { ...REFUSED, ...over }, 0.5);
  }
  const hold = async (how: 'SHARE' | 'NO KEY UPDATE') => {
    await other.query('BEGIN');
    await other.query(`SELECT FROM notification_webhooks FOR ${how}`);
  };
  const rows = async () => (await machine.deliveries()).map(({ tries, due_at }) => ({ tries, due_at }));
  const waitingForLocks = async () =>
    (
      await other.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).rows[0]?.n;
  const attempts = async () =>
    (await other.query<{ n: number }>('SELECT count(*)::int AS n FROM delivery_attempts')).rows[0]?.n;

  it('reschedules its delivery and is stored, without a lock of the endpoint', async () => {
    const second = await secondDelivery();
    const now = machine.clock.now().getTime();
    await hold('SHARE');
    await fail(second);
    expect(await rows()).toEqual([
      { tries: 1, due_at: new Date(now + 4_000) },
      { tries: 1, due_at: new Date(now + 5_000) },
    ]);
    expect(await attempts()).toBe(2);
  });

  it.each<[string, (second: Awaited<ReturnType<DeliveryMachine['lease']>>) => Promise<unknown>]>([
    ['asks for a pause', (second) => fail(second, { status: 503, retry_after_ms: 60_000 })],
    ['responds with 410', (second) => fail(second, { status: 410 })],
    [
      'has failed for 5 days',
      (second) => {
        machine.clock.advance(5 * DAY);
        return fail(second);
      },
    ],
    [
      'was the last attempt',
      async (second) => {
        await other.query('UPDATE webhook_deliveries SET tries = 9');
        return fail({ ...second, leased: second.leased.map((one) => ({ ...one, tries: 9 })) });
      },
    ],
    [
      'concerns a delivery that changed meanwhile',
      async (second) => {
        await other.query('UPDATE webhook_deliveries SET tries = 3');
        return fail(second);
      },
    ],
    ['concerns a delivery that another lease has taken', (second) => fail({ ...second, token: 'another' })],
    [
      'comes when the endpoint is healthy again',
      async (second) => {
        await other.query('UPDATE notification_webhooks SET failing_since = NULL');
        return fail(second);
      },
    ],
    [
      'comes when the endpoint is disabled',
      async (second) => {
        await other.query("UPDATE notification_webhooks SET status = 'disabled', disabled_at = now()");
        return fail(second);
      },
    ],
  ])('is recorded under the lock of the endpoint when it %s', async (_, failing) => {
    const second = await secondDelivery();
    // `failing` commits its preparation first; the lock is taken right before the attempt is recorded.
    const record = machine.record.bind(machine);
    machine.record = async (...of) => {
      await hold('SHARE');
      return record(...of);
    };
    try {
      await expect(failing(second)).rejects.toThrow('lock timeout');
    } finally {
      machine.record = record;
    }
    expect(await attempts()).toBe(1);
  });

  it('is stored together with one of the same delivery whose lease had expired before it was recorded', async () => {
    const late = await secondDelivery();
    machine.clock.advance(30_000);
    const again = await machine.lease();
    const at = machine.clock.now();
    const failures = [late, again].map(({ leased, token }, index) => {
      const [delivery] = leased;
      if (!delivery) throw new Error('no delivery is due');
      const { retry_after_ms: _, ...answer } = REFUSED;
      const attempt = { ...answer, delivery: delivery.id, url: delivery.url };
      const next = { tries: 1, planned_at: null, due_at: new Date(at.getTime() + 1_000 * (index + 1)) };
      return { delivery, leaseToken: token, attempt, next };
    });
    expect(new Set(failures.map(({ delivery }) => delivery.id)).size).toBe(1);
    const kept = await insertRepeatedFailures(queryableOf(other), failures, { at, stored_at: at });
    expect([...kept]).toEqual([again.leased[0]?.id]);
    expect(await attempts()).toBe(3);
    // The values of the valid lease.
    expect(await rows()).toContainEqual({ tries: 1, due_at: new Date(at.getTime() + 2_000) });
  });

  it('waits without a connection while another attempt marks its endpoint as failing', async () => {
    const patient = new DeliveryMachine(database.url);
    try {
      await patient.begin();
      for (const object of ['A', 'B', 'C', 'D']) await patient.publish({ object, sequence: 1 });
      const { leased, token } = await patient.lease();
      await hold('NO KEY UPDATE');
      const recorded = leased.map((delivery) => patient.record(delivery, token, REFUSED, 0.5));
      await waitFor(async () => (await waitingForLocks()) === 1, {
        what: 'the first one to wait for the endpoint',
      });
      // Any others would have requested the lock by the time this responds: the machine has four connections.
      await Promise.all(Array.from({ length: 12 }, () => patient.deliveries()));
      expect(await waitingForLocks()).toBe(1);
      await other.query('ROLLBACK');
      await Promise.all(recorded);
      expect(leased).toHaveLength(4);
      expect((await patient.deliveries()).map(({ tries }) => tries)).toEqual([1, 1, 1, 1]);
      expect(await attempts()).toBe(4);
    } finally {
      await patient.end();
    }
  });

  it('waits for a transaction that changes the endpoint', async () => {
    const second = await secondDelivery();
    await hold('NO KEY UPDATE');
    await expect(fail(second)).rejects.toThrow('lock timeout');
  });
});
