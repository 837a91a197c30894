import { Decimal } from '@fundrail/contracts';
import { PlansUnderTest, PLANS } from '../testing/plans-under-test.ts';
import { CONSENT, DAY_MS } from '../testing/plan.builder.ts';

const SKIPS = (id: string) => `${PLANS}/${id}/skip_instructions`;

/** The clock starts on Monday, 21 December 2026, 10:00 IST. Each test starts its own service, because time only moves forward. */
describe('installments', () => {
  let stage: PlansUnderTest;
  beforeEach(async () => {
    stage = await PlansUnderTest.start();
  });
  afterEach(() => stage.stop());

  it('are generated at 00:05 of their date, not earlier, with an event that contains all that orders needs', async () => {
    const plan = await stage.createActive({ euin: 'E123456', user_ip: '203.0.113.24' });
    expect(plan).toMatchObject({
      ...{ start_date: '2027-01-05', end_date: '2027-12-05', next_installment_date: '2027-01-05' },
      ...{ previous_installment_date: null, remaining_installments: 12 },
    });

    await stage.at('2027-01-05T00:04');
    expect(await stage.published(plan.id)).toEqual([]);
    await stage.at('2027-01-05T00:05');

    expect(await stage.published(plan.id)).toEqual([
      {
        ...{ plan: plan.id, mf_investment_account: plan.mf_investment_account, folio_number: '91047558203' },
        ...{
          scheme: 'INF846K01EW2',
          amount: Decimal.parse('1001'),
          units: null,
          gateway: 'gatewaypoa',
          consent: CONSENT,
        },
        ...{ payment_method: null, payment_source: null, euin: 'E123456', partner: null },
        ...{ user_ip: '203.0.113.24', initiated_by: 'system', installment_number: 1 },
        ...{
          redemption: expect.stringMatching(/^mfrd_[0-9a-f]{12}7[0-9a-f]{19}$/) as string,
          state: 'under_review',
        },
        ...{ nominal_date: '2027-01-05', date: '2027-01-05' },
      },
    ]);
    expect(await stage.get(plan.id)).toMatchObject({
      ...{ next_installment_date: '2027-02-05', previous_installment_date: '2027-01-05' },
      ...{ remaining_installments: 11, state: 'active' },
    });
  });

  it('move from a weekend or a holiday to the next business day, and the nominal dates stay', async () => {
    const plan = await stage.createActive({ installment_day: 25, number_of_installments: 3 });
    expect(plan).toMatchObject({ start_date: '2026-12-25', next_installment_date: '2026-12-28' });

    await stage.at('2026-12-28T00:04');
    expect(await stage.published(plan.id)).toEqual([]);
    await stage.at('2026-12-28T00:05');
    await stage.at('2027-04-01T00:00');

    expect((await stage.published(plan.id)).map(({ nominal_date, date }) => [nominal_date, date])).toEqual([
      ['2026-12-25', '2026-12-28'],
      ['2027-01-25', '2027-01-25'],
      ['2027-02-25', '2027-02-25'],
    ]);
  });

  it('"now" are generated on the day of activation, even a holiday, and the others keep the schedule', async () => {
    await stage.at('2026-12-25T12:00');
    const { id } = await stage.createActive({ generate_first_installment_now: true, installment_day: 27 });
    await stage.settled();

    expect(await stage.published(id)).toMatchObject([
      { installment_number: 1, nominal_date: '2026-12-25', date: '2026-12-25' },
    ]);
    expect(await stage.get(id)).toMatchObject({
      ...{ start_date: '2026-12-25', end_date: '2027-11-27', previous_installment_date: '2026-12-25' },
      ...{ next_installment_date: '2027-01-27', remaining_installments: 11 },
    });
  });

  it('that a stopped scheduler missed are generated in order, each once, with one log line', async () => {
    const plans = await Promise.all([
      stage.createActive({ installment_day: 5 }),
      stage.createActive({ installment_day: 28, amount: undefined, units: 12.5 }),
      stage.createActive({ installment_day: 10, number_of_installments: 2 }),
    ]);
    stage.log.length = 0;

    await stage.at('2027-04-15T09:00');

    const published = await Promise.all(plans.map(({ id }) => stage.published(id)));
    expect(
      published.map((of) => of.map(({ installment_number, date }) => `${installment_number} ${date}`)),
    ).toEqual([
      ['1 2027-01-05', '2 2027-02-05', '3 2027-03-05', '4 2027-04-05'],
      ['1 2026-12-28', '2 2027-01-28', '3 2027-03-01', '4 2027-03-29'],
      ['1 2027-01-11', '2 2027-02-10'],
    ]);
    const inAll = await stage.rows<{ date: string }>(
      'SELECT date::text FROM plan_installments ORDER BY generated_at, date',
    );
    expect(inAll).toHaveLength(10);
    const lines = stage.log.filter((line) => line.includes('installments were generated'));
    expect(lines.map((line) => (JSON.parse(line) as { installments: number }).installments)).toEqual([10]);
  });

  it('of 50,000 days at once are each generated once, up to the last', async () => {
    const { id } = await stage.createActive({ number_of_installments: 600 });
    stage.clock.advance(50 * 366 * DAY_MS);
    await stage.settled();

    const published = await stage.published(id);
    expect(published.map(({ installment_number }) => installment_number)).toEqual(
      Array.from({ length: 600 }, (_, index) => index + 1),
    );
    expect(await stage.get(id)).toMatchObject({
      ...{ next_installment_date: null, remaining_installments: 0, state: 'active', end_date: '2076-12-05' },
    });
  });

  it('are not generated after the plan is cancelled, even overdue ones; those already generated continue (PLAN-9)', async () => {
    const { id } = await stage.createActive();
    await stage.at('2027-01-06T00:00');
    await stage.at('2027-02-05T00:04');
    const body = { cancellation_code: 'custom_reason', cancellation_reason: 'moving house' };
    const cancelled = await stage.ask('POST', `${PLANS}/${id}/cancel`, { body });
    await stage.at('2027-06-01T00:00');

    expect(cancelled.body).toMatchObject({
      ...{
        state: 'cancelled',
        reason: 'moving house',
        next_installment_date: null,
        remaining_installments: 11,
      },
    });
    expect(await stage.published(id)).toHaveLength(1);
    expect((await stage.eventsOf(id)).at(-1)).toBe('cancelled');
  });

  describe('that are skipped', () => {
    const skip = async (id: string, from: string, to?: string) => {
      const answer = await stage.ask<{ id: string; state: string }>('POST', SKIPS(id), {
        body: { from, to },
      });
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const list = async (id: string) =>
      (await stage.ask<{ data: Record<string, unknown>[] }>('GET', SKIPS(id))).body.data;
    const states = async (id: string) => (await stage.published(id)).map(({ state }) => state);

    it('are chosen by their moved date, generated as cancelled and numbered; ranges may overlap', async () => {
      const { id } = await stage.createActive({ installment_day: 6, number_of_installments: 4 });
      // The nominal 6 February 2027 is a Saturday and moves to the 8th.
      await skip(id, '2027-02-08', '2027-02-08');
      await skip(id, '2027-02-01', '2027-03-07');
      await stage.at('2027-07-01T00:00');

      expect(await states(id)).toEqual(['under_review', 'cancelled', 'under_review', 'under_review']);
      expect(await list(id)).toMatchObject([
        {
          from: '2027-02-01',
          to: '2027-03-07',
          state: 'completed',
          skipped_installments: 1,
          remaining_installments: 0,
        },
        { from: '2027-02-08', to: '2027-02-08', state: 'completed', skipped_installments: 1 },
      ]);
    });

    it('are counted while still to come; a skip without an end lasts until it is cancelled', async () => {
      const { id } = await stage.createActive({ number_of_installments: 6 });
      const open = await skip(id, '2027-02-01');
      expect(open).toMatchObject({
        state: 'active',
        to: null,
        remaining_installments: 5,
        skipped_installments: 0,
      });
      await stage.at('2027-03-06T00:00');
      expect(await list(id)).toMatchObject([{ remaining_installments: 3, skipped_installments: 2 }]);

      const cancel = () =>
        stage.ask<{ state: string }>('POST', `${PLANS}/skip_instructions/${open.id}/cancel`);
      expect((await cancel()).body).toMatchObject({ state: 'cancelled', remaining_installments: 0 });
      expect((await cancel()).status).toBe(409);
      await stage.at('2027-07-01T00:00');

      expect(await states(id)).toEqual([
        ...['under_review', 'cancelled', 'cancelled', 'under_review', 'under_review', 'under_review'],
      ]);
    });

    it('at 00:04 of the same day are refused: from is tomorrow at the earliest; a cancel at 00:04 takes effect', async () => {
      const { id } = await stage.createActive();
      const tomorrow = await skip(id, '2027-01-05', '2027-01-05');
      await stage.at('2027-01-05T00:04');

      const late = await stage.refused('POST', SKIPS(id), { body: { from: '2027-01-05' } });
      expect([late.status, late.body.error.errors]).toEqual([
        400,
        [{ field: 'from', message: 'must be tomorrow or later' }],
      ]);
      await stage.ask('POST', `${PLANS}/skip_instructions/${tomorrow.id}/cancel`);
      await stage.at('2027-01-05T00:05');

      expect(await states(id)).toEqual(['under_review']);
    });

    it('stay skipped when the instruction is cancelled after they were due, even with a late scheduler', async () => {
      const { id } = await stage.createActive({ number_of_installments: 3 });
      const asked = await skip(id, '2027-01-05', '2027-02-28');
      for (const { dueWorker } of stage.replicas) await dueWorker.stop();
      stage.clock.set('2027-01-05T08:00:00+05:30');
      await stage.ask('POST', `${PLANS}/skip_instructions/${asked.id}/cancel`);
      for (const { dueWorker } of stage.replicas) dueWorker.start();
      await stage.at('2027-05-01T00:00');

      expect(await states(id)).toEqual(['cancelled', 'under_review', 'under_review']);
      expect(await list(id)).toMatchObject([{ state: 'cancelled', skipped_installments: 1 }]);
    });

    it('belong only to active plans with automatic generation', async () => {
      const [created, drawn] = await Promise.all([
        stage.create(),
        stage.createActive({ auto_generate_installments: false }),
      ]);
      for (const { id } of [created, drawn]) {
        const { status, body } = await stage.refused('POST', SKIPS(id), { body: { from: '2027-01-01' } });
        expect([status, body.error.code]).toEqual([409, 'ILLEGAL_TRANSITION']);
      }
    });
  });

  it('complete the plan when the last of them ends, in any state and any order', async () => {
    const { id } = await stage.createActive({ number_of_installments: 3 });
    await stage.at('2027-04-01T00:00');
    const [first, second, third] = await stage.published(id);
    if (!first || !second || !third) throw new Error('three were due');

    await stage.ended(third, 'failed');
    await stage.ended(first);
    expect((await stage.get(id)).state).toBe('active');
    await stage.ended(second, 'cancelled', 'evt_the_same');
    await stage.ended(second, 'cancelled', 'evt_the_same');

    expect(await stage.get(id)).toMatchObject({
      state: 'completed',
      completed_at: expect.any(String) as string,
    });
    expect((await stage.eventsOf(id)).filter((type) => type === 'completed')).toEqual(['completed']);
  });

  it('do not complete a plan that has more to come, even when all of them have ended', async () => {
    const { id } = await stage.createActive({ number_of_installments: 2 });
    await stage.at('2027-01-05T00:05');
    for (const installment of await stage.published(id)) await stage.ended(installment);
    expect((await stage.get(id)).state).toBe('active');
  });
});
