import { Decimal, parseJson, type MfPurchasePlanDto, type PurchaseInstallment } from '@fundrail/contracts';
import { setFaultHandler } from '@fundrail/testing';
import { mandateObject } from '../testing/mandate-object.ts';
import { aMandate, CONSENT, MANDATE } from '../testing/plan.builder.ts';
import type { PlansUnderTest } from '../testing/plans-under-test.ts';
import { PURCHASE_PLANS, PurchasesUnderTest } from '../testing/purchases-under-test.ts';

const BY_HAND = { payment_method: undefined, payment_source: undefined };
const WEAK = 2003;

describe('the installments of purchase plans', () => {
  let purchases: PurchasesUnderTest;
  let stage: PlansUnderTest;
  beforeEach(async () => {
    purchases = await PurchasesUnderTest.start();
    ({ stage } = purchases);
  });
  afterEach(() => stage.stop());

  const lastOf = async (id: string): Promise<PurchaseInstallment> => {
    const last = (await purchases.published(id)).at(-1);
    if (!last) throw new Error(`${id} has no installment`);
    return last;
  };
  const change = async (id: string, body: object): Promise<MfPurchasePlanDto> => {
    const answer = await stage.ask<MfPurchasePlanDto>('PATCH', PURCHASE_PLANS, {
      body: { id, consent: CONSENT, ...body },
    });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  /** The plan as its JSON has it, with amounts as numbers. */
  const shown = async (id: string): Promise<unknown> => JSON.parse(JSON.stringify(await purchases.get(id)));
  /** The first of each of so many months, past everything that falls due on the way. */
  const walk = async (months: readonly string[]) => {
    for (const month of months) await stage.at(`${month}-28T12:00`);
  };
  const amounts = async (id: string) =>
    (await purchases.published(id)).map(({ amount }) => Number(amount.toString()));
  const year = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const month = from - 1 + index;
      return `${2027 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
    });

  it('are generated a day before their date with a mandate, with all that orders needs (SIP-12, SIP-13)', async () => {
    const { id } = await purchases.createActive({ euin: 'E123456', user_ip: '203.0.113.24' });
    await stage.at('2027-01-05T00:04');
    expect(await purchases.published(id)).toEqual([]);
    await stage.at('2027-01-05T00:05');
    const [one] = await purchases.published(id);
    expect(one).toMatchObject({
      ...{ plan: id, installment_number: 1, state: 'under_review', scheme: 'INF846K01EW2', euin: 'E123456' },
      ...{ nominal_date: '2027-01-06', date: '2027-01-06', payable_until: '2027-01-12T23:00:00.000+05:30' },
      ...{ payment_source: MANDATE, consent: CONSENT, user_ip: '203.0.113.24', folio_number: null },
    });
    expect(await purchases.get(id)).toMatchObject({
      ...{ remaining_installments: 11, previous_installment_date: '2027-01-06' },
      next_installment_date: '2027-02-08',
    });
    expect(JSON.stringify((await purchases.get(id)).amount)).toBe('1000.0000');
  });

  it('are generated on their date without a mandate, and a mandate that is added moves the next one', async () => {
    const byHand = { installment_day: 5, ...BY_HAND };
    const [one, two] = [await purchases.createActive(byHand), await purchases.createActive(byHand)];
    await change(two.id, { payment_method: 'mandate', payment_source: MANDATE });
    // Its time, 00:05 of today, has passed.
    await stage.settled();
    expect((await lastOf(two.id)).payment_source).toBe(MANDATE);
    expect(await purchases.published(one.id)).toEqual([]);
    await stage.at('2027-01-05T00:05');
    expect(await lastOf(one.id)).toMatchObject({ date: '2027-01-05', payment_source: null });
    await stage.at('2027-02-04T00:05');
    expect([(await purchases.published(one.id)).length, (await purchases.published(two.id)).length]).toEqual([
      1, 2,
    ]);
  });

  it('"now" are made at once, name no mandate, and the second keeps its day (SIP-11)', async () => {
    const { id } = await purchases.createActive({
      installment_day: 10,
      generate_first_installment_now: true,
    });
    expect(await lastOf(id)).toMatchObject({
      ...{ installment_number: 1, date: '2027-01-04', payment_source: null },
      payable_until: '2027-01-10T23:00:00.000+05:30',
    });
    expect((await purchases.get(id)).next_installment_date).toBe('2027-02-10');
  });

  it('of each frequency are payable until the day before the next, six days at most (SIP-13)', async () => {
    const weekly = await purchases.createActive({ frequency: 'day_in_a_week', installment_day: 3 });
    const daily = await purchases.createActive({ frequency: 'daily', installment_day: undefined });
    const alone = await purchases.createActive({ number_of_installments: 1 });
    await stage.at('2027-01-05T00:05');
    const until = async ({ id }: MfPurchasePlanDto) => (await lastOf(id)).payable_until.slice(0, 16);
    expect(await until(weekly)).toBe('2027-01-12T23:00');
    expect(await until(daily)).toBe('2027-01-06T23:00');
    expect(await until(alone)).toBe('2027-01-12T23:00');
    await stage.at('2027-01-26T00:05');
    expect(await until(weekly)).toBe('2027-02-02T23:00');
    expect((await purchases.published(daily.id)).map(({ date }) => date).slice(0, 4)).toEqual([
      ...['2027-01-06', '2027-01-07', '2027-01-08', '2027-01-11'],
    ]);
  });

  it('step up by their dates, and are held by the mandate’s limit until it is replaced (SIP-19 to SIP-21)', async () => {
    const step = { type: 'amount', value: 500, frequency: 'half_yearly' };
    const capped = { step_up: { ...step, max_amount: 1800 }, number_of_installments: 14 };
    const grown = await purchases.createActive(capped);
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK, mandate_limit: Decimal.parse('1200') }));
    const held = await purchases.createActive({
      step_up: step,
      number_of_installments: 14,
      payment_source: WEAK,
    });
    await walk(year(1, 6));
    const heldEvents = async () =>
      (await stage.eventsOf(held.id)).filter((type) => type === 'step_up_held').length;
    expect(await heldEvents()).toBe(0);
    // Three days before 6 July.
    await stage.at('2027-07-03T00:05');
    expect(await heldEvents()).toBe(1);
    const [event] = await stage.rows<{ data: string }>(
      `SELECT data FROM outbox WHERE aggregate_id = $1 AND type = 'mf_purchase_plan.step_up_held'`,
      held.id,
    );
    const stated = { next_installment_amount: 1000, held_step_up: { amount: 1500, mandate_limit: 1200 } };
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ object: stated });
    expect(await shown(held.id)).toMatchObject(stated);
    expect(await shown(grown.id)).toMatchObject({ next_installment_amount: 1500, held_step_up: null });
    await walk(year(7, 1));
    expect(await shown(held.id)).toMatchObject({ next_installment_amount: 1000, held_step_up: null });
    await change(held.id, { payment_method: 'mandate', payment_source: MANDATE });
    await walk(year(8, 7));
    const times = (count: number, amount: number) => Array.from({ length: count }, () => amount);
    expect(await amounts(grown.id)).toEqual([...times(6, 1000), ...times(6, 1500), ...times(2, 1800)]);
    expect(await amounts(held.id)).toEqual([...times(12, 1000), ...times(2, 1500)]);
    expect(await heldEvents()).toBe(1);
  });

  it('that are held from a change on are reported at once where the check has passed, and once while they are held (SIP-21)', async () => {
    const step_up = { type: 'amount', value: 500, frequency: 'half_yearly' };
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK, mandate_limit: Decimal.parse('1200') }));
    const terms = { number_of_installments: 14, payment_source: WEAK };
    const byStep = await purchases.createActive(terms);
    const byAmount = await purchases.createActive({ ...terms, amount: 600, step_up });
    const byLimit = await purchases.createActive({ number_of_installments: 14, step_up });
    const early = await purchases.createActive(terms);
    const held = async () =>
      Promise.all(
        [byStep, byAmount, byLimit, early].map(
          async ({ id }) => (await stage.eventsOf(id)).filter((type) => type === 'step_up_held').length,
        ),
      );
    const modified = async (limit: string) => {
      const mandate = aMandate({ mandate_limit: Decimal.parse(limit) });
      stage.neighbours.mandates.set(MANDATE, mandate);
      await stage.consume('mandate.modified', mandateObject(mandate));
    };
    await walk(year(1, 6));
    await change(early.id, { step_up });
    // Three days before 6 July, which is made on the 5th.
    await stage.at('2027-07-03T00:05');
    expect(await held()).toEqual([0, 0, 0, 1]);
    await change(byStep.id, { step_up: { ...step_up, frequency: 'yearly' } });
    expect(await held()).toEqual([0, 0, 0, 1]);
    await change(byStep.id, { step_up });
    await change(byAmount.id, { amount: 800 });
    await modified('1200');
    expect(await held()).toEqual([1, 1, 1, 1]);
    await change(byStep.id, { amount: 900 });
    await change(byAmount.id, { payment_method: 'mandate', payment_source: WEAK });
    await modified('1100');
    await stage.settled();
    expect(await held()).toEqual([1, 1, 1, 1]);
    await change(byAmount.id, { amount: 600 });
    await change(byAmount.id, { amount: 800 });
    await modified('2000');
    await modified('1200');
    await walk(year(7, 1));
    expect(await held()).toEqual([1, 2, 2, 1]);
    expect((await amounts(byLimit.id)).at(-1)).toBe(1000);
    const kept = await stage.rows(
      'SELECT FROM redemption_plan_history WHERE plan_id = $1 AND consent IS NOT NULL',
      byStep.id,
    );
    expect(kept).toHaveLength(3);
  });

  it('are not held when the investor raises the limit during the check (SIP-21, MAN-26)', async () => {
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK, mandate_limit: Decimal.parse('1200') }));
    const { id } = await purchases.createActive({
      step_up: { type: 'amount', value: 500, frequency: 'half_yearly' },
      number_of_installments: 14,
      payment_source: WEAK,
    });
    await walk(year(1, 6));
    stage.neighbours.meanwhile = async () => {
      const raised = aMandate({ id: WEAK });
      stage.neighbours.mandates.set(WEAK, raised);
      await stage.consume('mandate.modified', mandateObject(raised));
    };
    await stage.at('2027-07-03T00:05');
    expect(await stage.eventsOf(id)).not.toContain('step_up_held');
  });

  it('keep to the limit that the investor sets at the issuer: a step and a change of the amount too, and too low a limit is reported at once (SIP-7, SIP-21, MAN-26)', async () => {
    const step = { type: 'amount', value: 500, frequency: 'half_yearly' };
    const { id } = await purchases.createActive({ step_up: step, number_of_installments: 14 });
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK }));
    const other = await purchases.createActive({ payment_source: WEAK });
    const modified = async (limit: string, valid_to?: string) => {
      const mandate = aMandate({ mandate_limit: Decimal.parse(limit), ...(valid_to && { valid_to }) });
      stage.neighbours.mandates.set(MANDATE, mandate);
      await stage.consume('mandate.modified', mandateObject(mandate));
      return (await purchases.get(id)).reason;
    };
    const reports = async (plan = id) =>
      (await stage.eventsOf(plan)).filter((type) => type === 'mandate_unusable').length;
    const repriced = async (amount: number) => {
      const body = { id, amount, consent: CONSENT };
      return (await stage.ask('PATCH', PURCHASE_PLANS, { body })).status;
    };
    expect([await modified('1000'), await reports()]).toEqual([null, 0]);
    expect([await modified('999.99'), await reports()]).toEqual(['mandate_limit_exceeded', 1]);
    await walk(year(1, 1));
    await purchases.unpaid(await lastOf(id));
    expect(await purchases.get(id)).toMatchObject({
      ...{ state: 'active', consecutive_failed_installments: 1, remaining_installments: 13 },
    });
    expect([await modified('5000', '2027-02-01'), await reports()]).toEqual(['mandate_expired', 2]);
    expect([await modified('1200'), await reports()]).toEqual([null, 2]);
    expect([await repriced(1201), await repriced(1100)]).toEqual([422, 200]);
    await walk(year(2, 6));
    expect(await modified('2000')).toBeNull();
    expect(await repriced(1201)).toBe(200);
    await walk(year(8, 6));
    expect(await amounts(id)).toEqual([
      1000,
      ...Array<number>(6).fill(1100),
      ...Array<number>(5).fill(1201),
      1701,
    ]);
    expect([await reports(), await reports(other.id)]).toEqual([2, 0]);
  });

  describe('with a limit that is changed while the mandate is read (SIP-7, MAN-26)', () => {
    const modified = (event_seq: number, limit: string) => {
      const mandate = aMandate({ id: WEAK, mandate_limit: Decimal.parse(limit) });
      return stage.consume('mandate.modified', mandateObject(mandate), { sequence: event_seq });
    };
    const answers = (event_seq: number, limit: string) =>
      stage.neighbours.mandates.set(
        WEAK,
        aMandate({ id: WEAK, event_seq, mandate_limit: Decimal.parse(limit) }),
      );
    const repriced = async (id: string, amount: number) =>
      (await stage.ask('PATCH', PURCHASE_PLANS, { body: { id, amount, consent: CONSENT } })).status;
    /** The event about the new limit comes after the answer with the old one, and before the plan is written. */
    const overtaken = async <T>(point: string, work: () => Promise<T>): Promise<T> => {
      answers(2, '15000');
      const fault = setFaultHandler(point);
      const result = work();
      await fault.reached;
      answers(3, '2000');
      await modified(3, '2000');
      fault.resume();
      return result;
    };

    it('keep the new one when its event is there before the plan', async () => {
      const { id } = await overtaken('plans.create.before_commit', () =>
        purchases.create({ payment_source: WEAK }),
      );
      await purchases.activate(id);
      expect([await repriced(id, 2001), await repriced(id, 2000)]).toEqual([422, 200]);
    });

    it('keep the new one when its event is there before the change', async () => {
      const { id } = await purchases.createActive();
      await overtaken('plans.change.before_commit', () =>
        change(id, { payment_method: 'mandate', payment_source: WEAK }),
      );
      await stage.settled();
      expect([await repriced(id, 2001), await repriced(id, 2000)]).toEqual([422, 200]);
    });

    it('keep the new one when events from before the answer come later', async () => {
      answers(4, '3000');
      const { id } = await purchases.createActive({ payment_source: WEAK });
      await modified(3, '500');
      await modified(4, '3000');
      expect([await repriced(id, 3001), await repriced(id, 3000)]).toEqual([422, 200]);
      expect(await stage.eventsOf(id)).not.toContain('mandate_unusable');
      await modified(5, '2500');
      expect((await purchases.get(id)).reason).toBe('mandate_limit_exceeded');
    });
  });

  it('count as unpaid until the limit ends the plan, in any order of their ends (SIP-16 to SIP-18)', async () => {
    const { id } = await purchases.createActive();
    await walk(year(1, 3));
    const [one, two, three] = await purchases.published(id);
    if (!one || !two || !three) throw new Error('three were due');
    await purchases.unpaid(two);
    await purchases.unpaid(one);
    expect(await purchases.get(id)).toMatchObject({ state: 'active', consecutive_failed_installments: 2 });
    await purchases.unpaid(three);
    expect(await purchases.get(id)).toMatchObject({
      ...{ state: 'cancelled', auto_cancelled: true, consecutive_failed_installments: 3 },
      cancellation_code: 'consecutive_failed_installment_limit_exceeded',
    });
    expect((await stage.eventsOf(id)).slice(-2)).toEqual(['installment_failed', 'cancelled']);
    await walk(year(4, 12));
    expect(await purchases.published(id)).toHaveLength(3);
  });

  it('reset the count when one is paid, but not when one is refused or skipped; the folio is kept (SIP-14)', async () => {
    const { id } = await purchases.createActive();
    await walk(year(1, 3));
    const [one, two, three] = await purchases.published(id);
    if (!one || !two || !three) throw new Error('three were due');
    await purchases.unpaid(one);
    await purchases.ended(two, 'failed', { failure_code: 'scheme_closed' });
    expect((await purchases.get(id)).consecutive_failed_installments).toBe(1);
    await purchases.ended(three, 'successful', { folio_number: '91047558203' });
    expect(await purchases.get(id)).toMatchObject({
      ...{ consecutive_failed_installments: 0, folio_number: '91047558203', state: 'active' },
    });
    await walk(year(4, 1));
    expect((await lastOf(id)).folio_number).toBe('91047558203');
  });

  it('count from the last paid one, and end a quarterly plan at the second (SIP-17, SIP-18)', async () => {
    const rare = await purchases.createActive({ frequency: 'quarterly', installment_day: 15 });
    const { id } = await purchases.createActive();
    await walk(year(1, 4));
    for (const installment of await purchases.published(rare.id)) await purchases.unpaid(installment);
    expect(await purchases.get(rare.id)).toMatchObject({ state: 'cancelled', auto_cancelled: true });
    expect(await purchases.published(rare.id)).toHaveLength(2);
    for (const [index, installment] of (await purchases.published(id)).entries())
      await (index === 1 ? purchases.ended(installment, 'successful') : purchases.unpaid(installment));
    expect(await purchases.get(id)).toMatchObject({ state: 'active', consecutive_failed_installments: 2 });
  });

  it('that end at the same time are each counted once, whichever come together', async () => {
    const plans = await Promise.all(Array.from({ length: 6 }, () => purchases.createActive()));
    await walk(year(1, 3));
    const all = (await Promise.all(plans.map(({ id }) => purchases.published(id)))).flat();
    await Promise.all([...all, ...all].map((installment) => purchases.unpaid(installment)));
    for (const { id } of plans) {
      expect(await purchases.get(id)).toMatchObject({
        ...{ state: 'cancelled', auto_cancelled: true, consecutive_failed_installments: 3 },
      });
      const events = (await stage.eventsOf(id)).filter((type) => type === 'installment_failed');
      expect(events).toHaveLength(3);
    }
  });

  it('complete their plan when the last one ends, paid or not', async () => {
    const { id } = await purchases.createActive({ number_of_installments: 1 });
    await stage.at('2027-01-05T00:05');
    await purchases.unpaid(await lastOf(id));
    expect(await purchases.get(id)).toMatchObject({ state: 'completed', next_installment_amount: null });
    expect((await stage.eventsOf(id)).slice(-2)).toEqual(['installment_failed', 'completed']);
  });

  it('complete their plan when all that remain are skipped, once those made before have ended', async () => {
    const terms = { number_of_installments: 3 };
    const [skipped, open] = [await purchases.createActive(terms), await purchases.createActive(terms)];
    await walk(year(1, 1));
    await purchases.ended(await lastOf(skipped.id), 'cancelled');
    for (const { id } of [skipped, open])
      await stage.ask('POST', `${PURCHASE_PLANS}/${id}/pause`, { body: { installments: 2 } });
    await walk(year(2, 2));
    for (const { id } of [skipped, open]) {
      const made = (await purchases.published(id)).slice(1);
      expect(made.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
      expect((await purchases.get(id)).state).toBe('active');
      for (const installment of made) await purchases.ended(installment, 'cancelled');
    }
    const ended = { remaining_installments: 0, next_installment_date: null };
    expect(await purchases.get(skipped.id)).toMatchObject({ state: 'completed', ...ended });
    expect((await purchases.get(open.id)).state).toBe('active');
    const [first] = await purchases.published(open.id);
    if (!first) throw new Error('one was due');
    await purchases.unpaid(first);
    expect(await purchases.get(open.id)).toMatchObject({ state: 'completed', ...ended });
    expect((await stage.eventsOf(skipped.id)).filter((type) => type === 'completed')).toHaveLength(1);
  });

  it('are skipped without consent, count their number, and are followed by what comes after', async () => {
    const { id } = await purchases.createActive();
    await stage.ask('POST', `${PURCHASE_PLANS}/${id}/pause`, { body: { installments: 2 } });
    await walk(year(1, 3));
    expect((await purchases.published(id)).map(({ state, consent }) => [state, consent !== null])).toEqual([
      ['cancelled', false],
      ['cancelled', false],
      ['under_review', true],
    ]);
    expect(await purchases.get(id)).toMatchObject({ remaining_installments: 9, paused_until: null });
  });

  it('of a cancelled plan go on, and no other is made', async () => {
    const { id } = await purchases.createActive();
    await stage.at('2027-01-05T09:00');
    const body = { id, cancellation_code: 'invest_later' };
    await stage.ask('POST', `${PURCHASE_PLANS}/cancel`, { body });
    await purchases.ended(await lastOf(id), 'successful');
    await walk(year(2, 3));
    expect(await purchases.published(id)).toHaveLength(1);
    expect((await purchases.get(id)).state).toBe('cancelled');
  });

  it('whose mandate is paused are reported when it happens, and three days before a date for that date (SIP-15)', async () => {
    const { id } = await purchases.createActive();
    const daily = await purchases.createActive({ frequency: 'daily', installment_day: undefined });
    const paused = aMandate({ mandate_status: 'PAUSED' });
    stage.neighbours.mandates.set(MANDATE, paused);
    await stage.consume('mandate.paused', mandateObject(paused));
    for (const plan of [id, daily.id]) expect((await purchases.get(plan)).reason).toBe('mandate_paused');
    await stage.at('2027-02-05T00:04');
    const reports = async () =>
      (await stage.eventsOf(id)).filter((type) => type === 'mandate_unusable').length;
    expect(await reports()).toBe(1);
    await stage.at('2027-02-05T00:05');
    expect(await reports()).toBe(2);
    expect(
      await stage.rows(`SELECT FROM due_work WHERE kind = 'plan.check_mandate' AND key = $1`, daily.id),
    ).toEqual([]);
  });

  it.each<[string, Parameters<typeof aMandate>[0], string]>([
    ['paused', { mandate_status: 'PAUSED' }, 'mandate_paused'],
    ['cancelled', { mandate_status: 'CANCELLED' }, 'mandate_cancelled'],
    ['expired', { mandate_status: 'EXPIRED', valid_to: '2027-01-03' }, 'mandate_expired'],
    ['modified', { mandate_limit: Decimal.parse('999.99') }, 'mandate_limit_exceeded'],
    ['modified', { valid_to: '2027-01-05' }, 'mandate_expired'],
  ])('of a daily plan are reported when their mandate is %s: %j (SIP-15)', async (event, changes, reason) => {
    const { id } = await purchases.createActive({ frequency: 'daily', installment_day: undefined });
    const mandate = aMandate(changes);
    stage.neighbours.mandates.set(MANDATE, mandate);
    await stage.consume(`mandate.${event}` as 'mandate.paused', mandateObject(mandate));
    expect((await purchases.get(id)).reason).toBe(reason);
    await stage.at('2027-01-07T12:00');
    expect((await stage.eventsOf(id)).filter((type) => type === 'mandate_unusable')).toHaveLength(1);
  });

  it('of a daily plan are checked at once when it becomes active, its mandate is replaced or resumed, and after a new amount (SIP-15)', async () => {
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK, valid_to: '2027-01-04' }));
    const daily = { frequency: 'daily', installment_day: undefined };
    const ending = await purchases.createActive({ ...daily, payment_source: WEAK });
    const { id } = await purchases.createActive({ ...daily, ...BY_HAND });
    const reasons = async () => [
      (await purchases.get(ending.id)).reason,
      (await purchases.get(id)).reason,
      (await stage.eventsOf(id)).filter((type) => type === 'mandate_unusable').length,
    ];
    expect(await reasons()).toEqual(['mandate_expired', null, 0]);
    await change(id, { payment_method: 'mandate', payment_source: WEAK });
    await stage.settled();
    expect(await reasons()).toEqual(['mandate_expired', 'mandate_expired', 1]);
    await change(ending.id, { payment_method: 'mandate', payment_source: MANDATE });
    await change(id, { payment_method: 'mandate', payment_source: MANDATE });
    await stage.settled();
    expect(await reasons()).toEqual([null, null, 1]);
    const low = aMandate({ mandate_limit: Decimal.parse('900') });
    stage.neighbours.mandates.set(MANDATE, { ...low, mandate_status: 'PAUSED' });
    await stage.consume('mandate.paused', mandateObject({ ...low, mandate_status: 'PAUSED' }));
    stage.neighbours.mandates.set(MANDATE, low);
    await stage.consume('mandate.resumed', mandateObject(low));
    await stage.settled();
    expect(await reasons()).toEqual(['mandate_limit_exceeded', 'mandate_limit_exceeded', 3]);
    await change(id, { amount: 900 });
    expect(await reasons()).toEqual(['mandate_limit_exceeded', null, 3]);
  });

  it('are reported when their mandate is paused while it is being chosen (SIP-15)', async () => {
    const { id } = await purchases.createActive({ frequency: 'daily', installment_day: undefined });
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK }));
    const fault = setFaultHandler('plans.change.before_commit');
    const changed = change(id, { payment_method: 'mandate', payment_source: WEAK });
    await fault.reached;
    const paused = aMandate({ id: WEAK, mandate_status: 'PAUSED' });
    stage.neighbours.mandates.set(WEAK, paused);
    await stage.consume('mandate.paused', mandateObject(paused));
    fault.resume();
    await changed;
    await stage.settled();
    expect((await purchases.get(id)).reason).toBe('mandate_paused');
  });

  it('are of one engine: a redemption plan beside them keeps its time and its event', async () => {
    const redemption = await stage.createActive({ installment_day: 6 });
    const { id } = await purchases.createActive();
    await stage.at('2027-01-05T00:05');
    expect([(await purchases.published(id)).length, (await stage.published(redemption.id)).length]).toEqual([
      1, 0,
    ]);
    await stage.at('2027-01-06T00:05');
    expect(await stage.published(redemption.id)).toMatchObject([
      { redemption: expect.stringMatching(/^mfrd_/) as string },
    ]);
  });

  it('follow a replaced year while they are not generated', async () => {
    const { id } = await purchases.createActive();
    await stage.ask('POST', '/admin/holidays', {
      body: { year: 2027, dates: ['2027-01-06'], source: 'a circular' },
      scope: 'admin',
    });
    expect((await purchases.get(id)).next_installment_date).toBe('2027-01-07');
    await stage.at('2027-01-05T23:00');
    expect(await purchases.published(id)).toEqual([]);
    await stage.at('2027-01-06T00:05');
    expect(await lastOf(id)).toMatchObject({ nominal_date: '2027-01-06', date: '2027-01-07' });
  });

  it('have one event for each number, also in the outbox of old amounts', async () => {
    const { id } = await purchases.createActive();
    await walk(year(1, 2));
    await change(id, { amount: 2000 });
    await walk(year(3, 1));
    expect(await amounts(id)).toEqual([1000, 1000, 2000]);
    const sequences = await stage.rows<{ sequence: number; data: string }>(
      'SELECT sequence, data FROM outbox WHERE aggregate_id = $1 ORDER BY sequence',
      id,
    );
    expect(sequences.map(({ sequence }) => sequence)).toEqual(sequences.map((_, index) => index + 1));
    expect(() => sequences.map(({ data }) => parseJson(data))).not.toThrow();
  });
});
