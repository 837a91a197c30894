import {
  addDays,
  istDate,
  newId,
  yearOf,
  type MfRedemptionPlanDto,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import { movedDate } from './calendar/business-days.ts';
import { quietDayAfter } from './testing/days.ts';
import { facts, PASSED } from './testing/fake-plan-gateway.ts';
import { mandateObject } from './testing/mandate-object.ts';
import { aMandate, aPlanBody, MANDATE } from './testing/plan.builder.ts';
import { PLANS, PlansUnderTest } from './testing/plans-under-test.ts';

const REPLICAS = 3;
/**
 * Each race runs for this many plans on each of this many days. A quarter of the requests come before the moment, half at the
 * moment, and a quarter after all work is done. So both orders occur, however those at the moment turn out.
 */
const EACH = 12;
const DAYS = 2;
const BY_MANDATE = { payment_method: 'mandate', payment_source: String(MANDATE) };
const EVENING_BEFORE = '23:59:59.995';
const BEFORE = '00:04:59.995';

interface Raced<T> {
  readonly plan: MfRedemptionPlanDto;
  readonly date: string;
  readonly answer: T;
}

/**
 * Three schedulers on one PostgreSQL with batches of three, and requests at all of them. Concurrent work must have one definite
 * order.
 */
describe('work at 00:05 of the date', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    const variables = { PLANS_GENERATION_BATCH: '3', DATABASE_POOL_SIZE: '10' };
    stage = await PlansUnderTest.start(REPLICAS, variables);
  });
  afterAll(() => stage.stop());

  const dayAhead = async () => quietDayAfter(await stage.service.database.now());
  const at = (index: number) => ({ at: index % REPLICAS });
  const activeOn = (date: string, changes: object = {}) =>
    Promise.all(
      Array.from({ length: EACH }, () =>
        stage.createActive({ installment_day: Number(date.slice(8)), ...changes }),
      ),
    );

  /** Sends a request for each plan around the moment at which all of them are due, and waits until all work is done. */
  async function around<T>(
    { date, from }: { readonly date: string; readonly from: string },
    plans: readonly MfRedemptionPlanDto[],
    ask: (plan: MfRedemptionPlanDto, index: number) => Promise<T>,
  ): Promise<Raced<T>[]> {
    stage.clock.set(`${from === EVENING_BEFORE ? addDays(date, -1) : date}T${from}+05:30`);
    const asked = (group: number) =>
      plans
        .map((plan, index) => ({ plan, index }))
        .filter(({ index }) => index % 4 === group)
        .map(async ({ plan, index }) => ({ plan, date, answer: await ask(plan, index) }));
    const before = await Promise.all(asked(0));
    const meanwhile = asked(1);
    await Promise.race(meanwhile);
    stage.clock.set(`${date}T00:05:00.000+05:30`);
    stage.wake();
    const met = await Promise.all([...meanwhile, ...asked(2)]);
    await stage.settled();
    const after = await Promise.all(asked(3));
    await stage.settled();
    return [...before, ...met, ...after];
  }

  /** In every race: the numbers and events of each plan have no gap, and each installment was published once. */
  async function isSound(): Promise<void> {
    const wrong = await stage.rows(
      `SELECT c.plan_id FROM plan_courses c
        WHERE c.made <> (SELECT count(*) FROM plan_installments i WHERE i.plan_id = c.plan_id)
           OR c.made <> (SELECT coalesce(max(installment_number), 0) FROM plan_installments i WHERE i.plan_id = c.plan_id)
           OR c.event_seq <> (SELECT count(*) FROM outbox o WHERE o.aggregate_id = c.plan_id)
           OR c.event_seq <> (SELECT max(sequence) FROM outbox o WHERE o.aggregate_id = c.plan_id)
           OR (SELECT count(*) FROM plan_installments i WHERE i.plan_id = c.plan_id AND NOT i.drawn) <>
              (SELECT count(*) FROM outbox o WHERE o.aggregate_id = c.plan_id AND o.type = $1 AND NOT EXISTS (
                 SELECT FROM plan_installments i WHERE i.plan_id = c.plan_id AND i.drawn))
           OR EXISTS (SELECT FROM outbox o WHERE o.aggregate_id = c.plan_id AND o.type = $1
                GROUP BY o.data::jsonb #>> '{object,redemption}' HAVING count(*) > 1)`,
      'mf_redemption_plan.installment_generated',
    );
    expect(wrong).toEqual([]);
  }
  afterEach(isSound);

  const stateOn = async ({ plan, date }: Raced<unknown>) =>
    (await stage.published(plan.id)).find((installment) => installment.date === date)?.state ?? 'none';

  it('three schedulers: every plan has one installment of each date', async () => {
    const date = await dayAhead();
    const plans = await activeOn(date, { number_of_installments: 4 });
    await around({ date, from: BEFORE }, plans, () => Promise.resolve());
    stage.clock.advance(130 * 86_400_000);
    await stage.settled();

    for (const { id } of plans)
      expect((await stage.published(id)).map(({ installment_number }) => installment_number)).toEqual([
        1, 2, 3, 4,
      ]);
  });

  it('a cancel: the answer contains the number of generated installments, and none is generated after it', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < DAYS; round += 1) {
      const date = await dayAhead();
      const raced = await around({ date, from: BEFORE }, await activeOn(date), (plan, index) =>
        stage.ask('POST', `${PLANS}/${plan.id}/cancel`, {
          body: { cancellation_code: 'invest_later' },
          ...at(index),
        }),
      );
      for (const { plan, answer } of raced) {
        const made = 12 - answer.body.remaining_installments;
        seen.add(made);
        expect([answer.status, (await stage.published(plan.id)).length]).toEqual([200, made]);
        expect((await stage.eventsOf(plan.id)).at(-1)).toBe('cancelled');
      }
    }
    expect([...seen].sort()).toEqual([0, 1]);
  });

  it('a skip: the installments that its answer counts as still to come are skipped, and earlier ones are generated', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < DAYS; round += 1) {
      const date = await dayAhead();
      const raced = await around({ date, from: EVENING_BEFORE }, await activeOn(date), (plan, index) =>
        stage.ask<SkipInstructionDto>('POST', `${PLANS}/${plan.id}/skip_instructions`, {
          body: { from: date, to: date },
          ...at(index),
        }),
      );
      for (const one of raced) {
        const { status, body } = one.answer;
        const isTaken = status === 200 && body.remaining_installments === 1;
        if (status !== 200) expect(status).toBe(400);
        seen.add(isTaken ? 'taken' : 'late');
        expect(await stateOn(one)).toBe(isTaken ? 'cancelled' : 'under_review');
      }
    }
    expect([...seen].sort()).toEqual(['late', 'taken']);
  });

  it('the cancellation of a skip: before 00:05 the installment is generated, from then on it stays skipped', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < DAYS; round += 1) {
      const date = await dayAhead();
      const plans = await activeOn(date);
      const skips = await Promise.all(
        plans.map(({ id }) =>
          stage.ask<SkipInstructionDto>('POST', `${PLANS}/${id}/skip_instructions`, { body: { from: date } }),
        ),
      );
      const raced = await around({ date, from: BEFORE }, plans, (_plan, index) =>
        stage.ask<SkipInstructionDto>(
          'POST',
          `${PLANS}/skip_instructions/${skips[index]?.body.id ?? ''}/cancel`,
          at(index),
        ),
      );
      for (const one of raced) {
        const { cancelled_at, skipped_installments } = one.answer.body;
        const inTime = cancelled_at !== null && cancelled_at < `${date}T00:05` && skipped_installments === 0;
        const expected = inTime ? 'under_review' : 'cancelled';
        seen.add(expected);
        expect([one.answer.status, await stateOn(one)]).toEqual([200, expected]);
      }
    }
    expect([...seen].sort()).toEqual(['cancelled', 'under_review']);
  });

  it('another holiday list: every later date follows the new list', async () => {
    for (let round = 0; round < DAYS; round += 1) {
      const date = await dayAhead();
      const plans = await activeOn(date);
      const nominal = await stage.rows<{ day: string }>(
        `SELECT ($1::date + interval '1 month')::date::text AS day`,
        date,
      );
      const following = movedDate(nominal[0]?.day ?? '', new Map());
      const body = { year: yearOf(following), dates: [following], source: 'the race' };
      let replaced: Promise<unknown> | null = null;
      await around({ date, from: BEFORE }, plans, async (_plan, index) => {
        if (index === 1)
          replaced = stage.ask('POST', '/admin/holidays', { body, scope: 'admin', ...at(index) });
        await replaced;
      });

      const expected = movedDate(addDays(following, 1), new Map());
      for (const { id } of plans) expect((await stage.get(id)).next_installment_date).toBe(expected);
      await stage.ask('POST', '/admin/holidays', { body: { ...body, dates: [] }, scope: 'admin' });
    }
  });

  it('an activation: before midnight its first date is this day, after midnight the next month’s; each is generated once', async () => {
    const date = await dayAhead();
    const day = { installment_day: Number(date.slice(8)) };
    const plans = await Promise.all(Array.from({ length: EACH }, () => stage.create(day)));
    await stage.settled();
    const raced = await around({ date, from: EVENING_BEFORE }, plans, async ({ id }) => {
      await stage.callback(id, PASSED);
      return stage.inState(id, 'active');
    });
    for (const one of raced) {
      const isBefore = istDate(new Date(one.answer.activated_at ?? '')) < date;
      expect(one.answer.start_date === date).toBe(isBefore);
      expect(await stateOn(one)).toBe(isBefore ? 'under_review' : 'none');
    }
  });

  it('an activation with an installment now: it is generated once, on that day', async () => {
    const bodies = aPlanBody({ generate_first_installment_now: true });
    const plans = await Promise.all(
      Array.from({ length: EACH }, (_, index) => stage.ask('POST', PLANS, { body: bodies, ...at(index) })),
    );
    await Promise.all(
      plans.map(async ({ body: { id } }) => {
        await stage.callback(id, facts({ review: { result: 'passed' } }));
        await stage.inState(id, 'active');
      }),
    );
    await stage.settled();
    const today = istDate(await stage.service.database.now());
    for (const { body } of plans)
      expect((await stage.published(body.id)).map(({ date }) => date)).toEqual([today]);
  });

  it('the end of a mandate: an event is published for each plan, and their installments are generated', async () => {
    const date = await dayAhead();
    const plans = await activeOn(date, BY_MANDATE);
    let ended: Promise<unknown> | null = null;
    await around({ date, from: BEFORE }, plans, async (_plan, index) => {
      if (index === 1)
        ended = stage.consume('mandate.cancelled', mandateObject(aMandate({ mandate_status: 'CANCELLED' })));
      await ended;
    });
    for (const { id } of plans) {
      const events = await stage.eventsOf(id);
      expect(events.slice(-2).sort()).toEqual(['installment_generated', 'mandate_unusable']);
    }
  });

  it('two draws at two replicas: one installment for one redemption, two numbers for two, and the last number once', async () => {
    for (let round = 0; round < EACH; round += 1) {
      const { id } = await stage.createActive({
        auto_generate_installments: false,
        number_of_installments: 4,
      });
      const same = newId('redemption');
      const first = await Promise.all([stage.draw(id, same, 0), stage.draw(id, same, 1)]);
      expect(first[0]).toEqual(first[1]);
      const two = await Promise.all([stage.draw(id, undefined, 1), stage.draw(id, undefined, 2)]);
      const numbers = two.map((drawn) =>
        drawn.outcome === 'drawn' ? drawn.installment.installment_number : 0,
      );
      expect(numbers.sort()).toEqual([2, 3]);
      const last = await Promise.all([stage.draw(id, undefined, 2), stage.draw(id, undefined, 0)]);
      expect(last.map(({ outcome }) => outcome).sort()).toEqual(['drawn', 'refused']);
    }
  });
});
