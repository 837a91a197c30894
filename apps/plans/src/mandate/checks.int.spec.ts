import { addDays, Decimal } from '@fundrail/contracts';
import { quietDayAfter } from '../testing/days.ts';
import { mandateObject } from '../testing/mandate-object.ts';
import { aMandate, aPlanBody, MANDATE } from '../testing/plan.builder.ts';
import { PLANS, PlansUnderTest } from '../testing/plans-under-test.ts';

const [WEAK, ENDING, UNKNOWN] = [2001, 2002, 2003];

describe('the mandates of plans', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  beforeEach(() => {
    stage.neighbours.silent = false;
    for (const id of [MANDATE, WEAK, ENDING, UNKNOWN]) stage.neighbours.mandates.set(id, aMandate({ id }));
  });
  afterAll(() => stage.stop());

  /** A day at least eight days ahead, and a plan of that date. */
  const ahead = async () => quietDayAfter(await stage.service.database.now(), 8);
  const planOn = (date: string, mandate = MANDATE, number_of_installments = 12) =>
    stage.createActive({
      number_of_installments,
      ...{ installment_day: Number(date.slice(8)) },
      ...{ payment_method: 'mandate', payment_source: String(mandate) },
    });
  const unusableEvents = async (id: string) =>
    (await stage.eventsOf(id)).filter((type) => type === 'mandate_unusable').length;

  const reason = async (id: string) => (await stage.get(id)).reason;
  /** The reason in the plan's last `mandate_unusable` event. */
  const reasonPublished = async (id: string) => {
    const [last] = await stage.rows<{ reason: string }>(
      `SELECT data::json #>> '{object,reason}' AS reason FROM outbox
        WHERE aggregate_id = $1 AND type = 'mf_redemption_plan.mandate_unusable' ORDER BY sequence DESC LIMIT 1`,
      id,
    );
    return last?.reason;
  };

  it('are checked three days before each date, not only the first', async () => {
    const date = await ahead();
    const { id } = await planOn(date);
    await stage.at(`${date}T00:05`);
    const { next_installment_date: next } = await stage.get(id);
    stage.neighbours.mandates.set(MANDATE, aMandate({ mandate_status: 'PAUSED' }));
    await stage.at(`${addDays(next ?? '', -3)}T00:04`);
    expect(await unusableEvents(id)).toBe(0);
    await stage.at(`${addDays(next ?? '', -3)}T00:05`);
    expect(await unusableEvents(id)).toBe(1);
    await stage.at(`${next ?? ''}T00:04`);

    expect(await unusableEvents(id)).toBe(1);
  });

  it('are requested in one question for all plans, and each plan is checked against its own mandate', async () => {
    const date = await ahead();
    const plans = await Promise.all(
      [MANDATE, MANDATE, WEAK, ENDING, UNKNOWN].map((mandate) => planOn(date, mandate)),
    );
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK, mandate_limit: Decimal.parse('1000.99') }));
    stage.neighbours.mandates.set(ENDING, aMandate({ id: ENDING, valid_to: date }));
    stage.neighbours.mandates.delete(UNKNOWN);
    stage.neighbours.questions.length = 0;
    await stage.at(`${addDays(date, -3)}T00:05`);

    expect(await Promise.all(plans.map(({ id }) => unusableEvents(id)))).toEqual([0, 0, 1, 1, 1]);
    expect(await Promise.all(plans.map(({ id }) => reason(id)))).toEqual([
      ...[null, null, 'mandate_limit_exceeded', 'mandate_expired', 'mandate_unknown'],
    ]);
    expect(stage.neighbours.questions[0]).toBeGreaterThanOrEqual(4);
  });

  it('are requested again when mandates does not answer, and one event is published', async () => {
    const date = await ahead();
    const { id } = await planOn(date);
    stage.neighbours.mandates.set(MANDATE, aMandate({ mandate_status: 'PAUSED' }));
    stage.neighbours.silent = true;
    await stage.at(`${addDays(date, -3)}T00:05`);
    expect(await unusableEvents(id)).toBe(0);
    stage.neighbours.silent = false;
    await stage.at(`${addDays(date, -3)}T00:06`);

    expect(await unusableEvents(id)).toBe(1);
  });

  it('are not checked once the plan is cancelled', async () => {
    const date = await ahead();
    const { id } = await planOn(date);
    await stage.ask('POST', `${PLANS}/${id}/cancel`, { body: { cancellation_code: 'mandate_not_ready' } });

    expect(await stage.rows('SELECT kind FROM due_work WHERE key = $1', id)).toEqual([]);
  });

  it.each(['CANCELLED', 'PAUSED', 'EXPIRED'] as const)(
    'that are %s cause an event at once, for plans with installments to come',
    async (mandate_status) => {
      const date = await ahead();
      const [goesOn, ended] = [await planOn(date), await planOn(date)];
      await stage.ask('POST', `${PLANS}/${ended.id}/cancel`, { body: { cancellation_code: 'invest_later' } });
      const type = `mandate.${mandate_status.toLowerCase() as 'cancelled' | 'paused' | 'expired'}` as const;
      await stage.consume(type, mandateObject(aMandate({ mandate_status })));

      expect([await unusableEvents(goesOn.id), await unusableEvents(ended.id)]).toEqual([1, 0]);
      expect(await reasonPublished(goesOn.id)).toBe(type.replace('.', '_'));
    },
  );

  it('that their investor changes cause an event at once where they cannot collect any more, and none where they can (PLAN-25, MAN-26)', async () => {
    const { id } = await planOn(await ahead());
    const modified = async (changes: Parameters<typeof aMandate>[0]) => {
      await stage.consume('mandate.modified', mandateObject(aMandate(changes)));
      return [await unusableEvents(id), await reason(id)];
    };
    expect(await modified({ mandate_limit: Decimal.parse('1001') })).toEqual([0, null]);
    expect(await modified({ mandate_limit: Decimal.parse('1000.99') })).toEqual([
      1,
      'mandate_limit_exceeded',
    ]);
    expect(await modified({ valid_to: addDays(await ahead(), 30) })).toEqual([1, null]);
    expect(await modified({ valid_to: await ahead() })).toEqual([2, 'mandate_expired']);
    expect(await modified({ id: WEAK, mandate_limit: Decimal.parse('1') })).toEqual([2, 'mandate_expired']);
  });

  it('set the reason in the event and in the plan, until they can collect again', async () => {
    const date = await ahead();
    const { id } = await planOn(date);
    const deliver = (type: 'mandate.paused' | 'mandate.resumed') =>
      stage.consume(
        type,
        mandateObject(aMandate({ mandate_status: type === 'mandate.paused' ? 'PAUSED' : 'APPROVED' })),
      );
    await deliver('mandate.paused');
    expect([await reason(id), await reasonPublished(id)]).toEqual(['mandate_paused', 'mandate_paused']);
    await deliver('mandate.resumed');
    expect(await reason(id)).toBeNull();

    await deliver('mandate.paused');
    await stage.at(`${addDays(date, -3)}T00:05`);
    expect([await unusableEvents(id), await reason(id)]).toEqual([2, null]);
  });

  it.each([
    ['a pause', 'mandate.paused', 'PAUSED', 'mandate_paused'],
    ['a resumption', 'mandate.resumed', 'APPROVED', null],
  ] as const)('are checked again when %s has come since the check', async (_name, type, status, expected) => {
    const date = await ahead();
    const { id } = await planOn(date);
    await stage.consume('mandate.paused', mandateObject(aMandate({ mandate_status: 'PAUSED' })));
    const isResumed = type === 'mandate.resumed';
    stage.neighbours.mandates.set(MANDATE, aMandate({ mandate_status: isResumed ? 'PAUSED' : 'APPROVED' }));
    stage.neighbours.meanwhile = async () => {
      stage.neighbours.mandates.set(MANDATE, aMandate({ mandate_status: status }));
      await stage.consume(type, mandateObject(aMandate({ mandate_status: status })));
    };
    const before = await unusableEvents(id);
    await stage.at(`${addDays(date, -3)}T00:05`);

    expect(await reason(id)).toBe(expected);
    // The pause is published by its event and by the second check; the resumption publishes nothing.
    expect((await unusableEvents(id)) - before).toBe(isResumed ? 0 : 2);
  });

  it('are no longer the reason of a plan that was cancelled or completed', async () => {
    const date = await ahead();
    const [cancelled, completed] = [await planOn(date), await planOn(date, MANDATE, 1)];
    await stage.consume('mandate.cancelled', mandateObject(aMandate({ mandate_status: 'CANCELLED' })));
    await stage.ask('POST', `${PLANS}/${cancelled.id}/cancel`, {
      body: { cancellation_code: 'mandate_not_ready' },
    });
    await stage.consume('mandate.resumed', mandateObject(aMandate()));
    await stage.consume('mandate.cancelled', mandateObject(aMandate({ mandate_status: 'CANCELLED' })));
    expect([await reason(cancelled.id), await reason(completed.id)]).toEqual([null, 'mandate_cancelled']);
    await stage.at(`${date}T00:05`);
    for (const installment of await stage.published(completed.id)) await stage.ended(installment);

    expect(await stage.get(completed.id)).toMatchObject({ state: 'completed', reason: null });
  });

  it.each<[string, string, object, number, string]>([
    ['unknown', '9', {}, 400, 'BAD_REQUEST_ERROR'],
    ['not approved', String(WEAK), { mandate_status: 'CREATED' }, 409, 'MANDATE_NOT_APPROVED'],
    ['too small', String(WEAK), { mandate_limit: Decimal.parse('1000') }, 422, 'MANDATE_LIMIT_EXCEEDED'],
  ])('that are %s refuse a new plan', async (_what, payment_source, changes, status, code) => {
    stage.neighbours.mandates.set(WEAK, aMandate({ id: WEAK, ...changes }));
    const body = aPlanBody({ payment_method: 'mandate', payment_source });
    const refused = await stage.refused('POST', PLANS, { body });
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
  });

  it('refuse a new plan where the operator chose that mandates serve subscriptions only, and earlier plans go on (PLAN-22)', async () => {
    const date = await ahead();
    const before = await planOn(date);
    stage.neighbours.settings.policies = { mandate_subscriptions_only: { mode: 'refuse' } };
    const body = aPlanBody({ payment_method: 'mandate', payment_source: String(MANDATE) });
    const refused = await stage.refused('POST', PLANS, { body });
    expect([refused.status, refused.body.error]).toEqual([
      422,
      expect.objectContaining({
        code: 'MANDATE_FOR_SUBSCRIPTIONS_ONLY',
        policy: expect.objectContaining({ name: 'mandate_subscriptions_only' }),
      }),
    ]);
    expect((await stage.ask('POST', PLANS, { body: aPlanBody() })).status).toBe(200);
    await stage.at(`${date}T00:05`);
    expect(await stage.published(before.id)).toHaveLength(1);
    stage.neighbours.settings.policies = { mandate_subscriptions_only: { mode: 'allow' } };
    expect((await stage.ask('POST', PLANS, { body })).status).toBe(200);
    stage.neighbours.settings.policies = {};
  });
});
