import { migrate } from '@fundrail/service-kit/db';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import fc from 'fast-check';
import { webhooksService } from '../index.ts';
import { DeliveryMachine } from '../testing/delivery-machine.ts';
import type { AttemptAnswer } from './delivery.ts';
import type { LeasedDelivery } from './due-delivery.repository.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** Contract §6, written once more. */
const TABLE_MS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * SECOND);

/** What the endpoint does from now on. `poison`: it refuses object A alone. */
const ANSWERS = ['well', 'failing', 'busy', 'poison', 'silent'] as const;
type Answering = (typeof ANSWERS)[number] | 'gone';
type Step =
  | { readonly do: 'publish'; readonly object: 'A' | 'B' | 'C' }
  | { readonly do: 'answer'; readonly how: Answering }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'retry'; readonly which: number }
  | { readonly do: 'enable' | 'disable' | 'rotate' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('publish'), object: fc.constantFrom('A', 'B', 'C') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer'), how: fc.constantFrom(...ANSWERS) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('advance'),
      ms: fc.oneof(fc.constantFrom(...TABLE_MS), fc.integer({ min: 1, max: 8 * HOUR })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry'), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('enable', 'disable', 'rotate') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('answer'), how: fc.constant('gone') }),
  },
);

function answerTo(
  how: Answering,
  { event }: { event: string },
  objects: ReadonlyMap<string, string>,
): AttemptAnswer {
  const plain = {
    webhook_timestamp: null,
    status: 204,
    duration_ms: 1,
    error: null,
    response_body: '',
    retry_after_ms: null,
  };
  switch (how) {
    case 'well':
      return plain;
    case 'poison':
      return objects.get(event) === 'A' ? { ...plain, status: 500 } : plain;
    case 'failing':
      return { ...plain, status: 500 };
    case 'busy':
      return { ...plain, status: 429, retry_after_ms: HOUR };
    case 'gone':
      return { ...plain, status: 410 };
    case 'silent':
      return { ...plain, status: null, error: 'no answer within 15000 ms' };
  }
}

/** The rules of contract §6 and §10, kept beside the machine: what it does is checked against them at each step. */
class Rules {
  how: Answering = 'well';
  pausedUntil = 0;
  failingSince: number | null = null;
  enabled = true;
  secrets: { readonly secret: string; until: number }[] = [{ secret: 'whsec_0', until: Infinity }];
  /** Failed attempts by delivery that the table counts, and the time of the last. */
  readonly failures = new Map<string, { count: number; at: number }>();
  readonly byHand = new Set<string>();
  sent = 0;

  constructor(private readonly machine: DeliveryMachine) {}

  get now(): number {
    return this.machine.clock.now().getTime();
  }

  async apply(one: Step, sequences: Map<string, number>): Promise<void> {
    switch (one.do) {
      case 'publish': {
        const sequence = (sequences.get(one.object) ?? 0) + 1;
        sequences.set(one.object, sequence);
        return this.machine.publish(one.object, sequence);
      }
      case 'answer':
        this.how = one.how;
        return;
      case 'advance':
        this.machine.clock.advance(one.ms);
        return;
      case 'retry':
        return this.retry(one.which);
      case 'rotate': {
        for (const known of this.secrets) known.until = Math.min(known.until, this.now + DAY);
        this.secrets.unshift({ secret: await this.machine.rotate(), until: Infinity });
        return;
      }
      case 'enable':
      case 'disable':
        return this.turn(one.do === 'enable');
    }
  }

  /** Sends all that is due, as long as something is, and checks each send. */
  async run(): Promise<void> {
    for (let round = 0; round < 60; round += 1) {
      const before = await this.machine.deliveries();
      const { token, leased } = await this.machine.lease();
      if (leased.length === 0) return;
      const ids = leased.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(leased.length).toBeLessThanOrEqual(this.failingSince === null ? 4 : 1);
      const second = await this.machine.lease();
      expect(second.leased.filter(({ id }) => ids.includes(id))).toEqual([]);
      expect(leased.length + second.leased.length).toBeLessThanOrEqual(this.failingSince === null ? 4 : 1);
      const objects = new Map(before.map((row) => [row.event, row.object_id]));
      for (const delivery of leased) {
        this.checkSend(delivery, before);
        await this.answer(delivery, token, answerTo(this.how, delivery, objects));
      }
      for (const delivery of second.leased)
        await this.answer(delivery, second.token, answerTo(this.how, delivery, objects));
      this.machine.clock.advance(SECOND / 4);
    }
    throw new Error('there is always more to send');
  }

  private checkSend(
    delivery: LeasedDelivery,
    before: Awaited<ReturnType<DeliveryMachine['deliveries']>>,
  ): void {
    expect(this.enabled).toBe(true);
    expect(this.now).toBeGreaterThanOrEqual(this.pausedUntil);
    const live = this.secrets.filter(({ until }) => until > this.now).map(({ secret }) => secret);
    expect(this.machine.secretsOf(delivery)).toEqual(live);
    const row = before.find(({ id }) => id === delivery.id);
    expect(row?.status).toBe('pending');
    if (!row?.in_order) return;
    const earlier = before.filter(
      (other) => other.subject === row.subject && other.in_order && other.sequence < row.sequence,
    );
    expect(earlier.filter(({ status }) => status === 'pending')).toEqual([]);
  }

  private async answer(delivery: LeasedDelivery, token: string, answer: AttemptAnswer): Promise<void> {
    this.sent += 1;
    const planned =
      (await this.machine.deliveries()).find(({ id }) => id === delivery.id)?.planned_at ?? null;
    const wasEnabled = this.enabled;
    await this.machine.record(delivery, token, answer, (this.sent % 10) / 10);
    const row = (await this.machine.deliveries()).find(({ id }) => id === delivery.id);
    if (answer.status === 204) {
      this.failingSince = null;
      expect(row?.status).toBe('delivered');
      return;
    }
    if (!wasEnabled) return;
    this.failingSince ??= this.now;
    if (answer.retry_after_ms !== null)
      this.pausedUntil = Math.max(this.pausedUntil, this.now + answer.retry_after_ms);
    const tooLong = this.now - this.failingSince >= 5 * DAY;
    if (answer.status === 410 || tooLong) this.enabled = false;
    expect((await this.machine.endpoint()).status).toBe(this.enabled ? 'enabled' : 'disabled');
    if (!this.enabled) return;
    const known = this.failures.get(delivery.id) ?? { count: 0, at: 0 };
    if (planned !== null && planned.getTime() > this.now) {
      expect(row?.due_at?.getTime()).toBeGreaterThanOrEqual(planned.getTime());
      expect(row?.tries).toBe(known.count);
      return;
    }
    const count = known.count + 1;
    this.failures.set(delivery.id, { count, at: this.now });
    expect(row?.tries).toBe(count);
    expect(row?.status).toBe(count === 10 ? 'failed' : 'pending');
    const pause = TABLE_MS[count - 1];
    if (pause === undefined) return;
    const waits = (row?.due_at?.getTime() ?? 0) - this.now;
    expect(waits).toBeGreaterThanOrEqual(Math.max(Math.floor(pause * 0.9), answer.retry_after_ms ?? 0));
    expect(waits).toBeLessThanOrEqual(Math.max(Math.ceil(pause * 1.1), answer.retry_after_ms ?? 0));
  }

  private async retry(which: number): Promise<void> {
    const rows = await this.machine.deliveries();
    const row = rows[which % Math.max(rows.length, 1)];
    if (!row || !this.enabled) return;
    await this.machine.retry(row.id);
    this.failures.delete(row.id);
    this.pausedUntil = 0;
  }

  private async turn(enabled: boolean): Promise<void> {
    if (enabled === this.enabled) return;
    await this.machine.change(enabled ? 'enabled' : 'disabled');
    this.enabled = enabled;
    if (enabled) [this.failingSince, this.pausedUntil] = [null, 0];
    else expect((await this.machine.deliveries()).filter(({ status }) => status === 'pending')).toEqual([]);
  }
}

describe('the delivery machine', () => {
  let database: TestDatabase;
  let machine: DeliveryMachine;
  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(webhooksService, database.url);
    machine = new DeliveryMachine(database.url);
  });
  afterAll(async () => {
    await machine.end();
    await database.drop();
  });

  it('keeps the rules over days of its clock, whatever the endpoint does, and forgets nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        await machine.begin();
        const rules = new Rules(machine);
        const sequences = new Map<string, number>();
        for (const one of steps) {
          await rules.apply(one, sequences);
          await rules.run();
        }
        // Then it is well for six days: everything is delivered or was given up.
        rules.how = 'well';
        for (let day = 0; day < 6; day += 1) {
          machine.clock.advance(DAY);
          await rules.run();
        }
        const left = (await machine.deliveries()).filter(({ status }) => status === 'pending');
        expect(left).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it('gives up after ten attempts in 76 hours, and disables after five days', async () => {
    await machine.begin();
    const rules = new Rules(machine);
    rules.how = 'failing';
    const sequences = new Map<string, number>();
    const until = async (ms: number) => {
      while (rules.now - begun < ms) {
        await rules.run();
        machine.clock.advance(HOUR);
      }
    };
    const begun = rules.now;
    await rules.apply({ do: 'publish', object: 'A' }, sequences);
    await until(100 * HOUR);
    expect(await machine.deliveries()).toMatchObject([{ status: 'failed', tries: 10 }]);
    expect((await machine.endpoint()).status).toBe('enabled');
    await rules.apply({ do: 'publish', object: 'A' }, sequences);
    await until(6 * DAY);
    expect((await machine.endpoint()).disabled_reason).toContain('5 days');
    expect((await machine.deliveries()).map(({ status }) => status)).toEqual(['failed', 'failed']);
  });
});
