import { addDays, newId } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import type { PlansFaultPoint } from './fault-points.ts';
import { PASSED, REGISTERED, SILENCE } from './testing/fake-plan-gateway.ts';
import { mandateObject } from './testing/mandate-object.ts';
import { aMandate, aPlanBody, DAY_MS, MANDATE, MINUTE_MS } from './testing/plan.builder.ts';
import { PLANS, PlansUnderTest } from './testing/plans-under-test.ts';

const FIRST_PAUSE_MS = 5_000;
const CONSENT = { email: 'asha.rao@example.com' };
const BY_MANDATE = { payment_method: 'mandate', payment_source: String(MANDATE) };

/** Work that stops at a fault point is repeated by its caller under the same ids. The result is as if it had never stopped. */
describe('work that stops at a fault point', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  /** Runs it, and stops it at the point. */
  async function breakOff(point: PlansFaultPoint, doing: () => Promise<unknown>): Promise<void> {
    const fault = setFaultHandler(point);
    const done = doing().catch(() => undefined);
    await fault.reached;
    fault.fail(new Error(`broken off at ${point}`));
    await done;
  }

  /** Waits until everything due now has ended, advances business time, and waits until the new work has ended. */
  async function pass(ms: number): Promise<void> {
    await stage.settled();
    stage.clock.advance(ms);
    await stage.settled();
  }

  it.each(['plans.create.before_commit', 'plans.create.committed'] as const)(
    'at %s: the request is retried with its key, and there is one plan',
    async (point) => {
      const body = aPlanBody({ source_ref_id: point });
      const ask = () => stage.ask('POST', PLANS, { body, key: point });
      await breakOff(point, ask);
      const again = await ask();

      expect(again.status).toBe(200);
      expect(await stage.eventsOf(again.body.id)).toEqual(['created']);
    },
  );

  it.each(['plans.change.before_commit', 'plans.change.committed'] as const)(
    'at %s: the request is retried with its key, and the plan is confirmed once',
    async (point) => {
      const { id } = await stage.create({ consent: undefined });
      await stage.callback(id, PASSED);
      const body = { id, state: 'confirmed', consent: CONSENT };
      const ask = () => stage.ask('PATCH', PLANS, { body, key: point });
      await breakOff(point, ask);

      expect((await ask()).status).toBe(200);
      expect((await stage.eventsOf(id)).filter((type) => type === 'confirmed')).toEqual(['confirmed']);
    },
  );

  it.each(['plans.cancel.before_commit', 'plans.cancel.committed'] as const)(
    'at %s: the request is retried with its key, and the plan is cancelled once',
    async (point) => {
      const { id } = await stage.createActive();
      const body = { cancellation_code: 'invest_later' };
      const ask = () => stage.ask('POST', `${PLANS}/${id}/cancel`, { body, key: point });
      await breakOff(point, ask);

      expect((await ask()).body.state).toBe('cancelled');
      expect((await stage.eventsOf(id)).filter((type) => type === 'cancelled')).toEqual(['cancelled']);
    },
  );

  it.each(['plans.review.before_call', 'plans.review.called'] as const)(
    'at %s: the gateway is asked for the state, and is sent the plan if it has not received it (PLAN-8)',
    async (point) => {
      let id = '';
      await breakOff(point, async () => {
        id = (await stage.create()).id;
      });
      await pass(FIRST_PAUSE_MS);

      const sent = point === 'plans.review.called' ? ['review', 'status', 'review'] : ['status', 'review'];
      await waitFor(() => stage.gateway.callsAbout(id).length >= sent.length);
      expect(stage.gateway.callsAbout(id)).toEqual(sent);
      expect((await stage.get(id)).state).toBe('created');
    },
  );

  it.each(['plans.register.before_call', 'plans.register.called'] as const)(
    'at %s: the registration is continued, and the plan becomes active once',
    async (point) => {
      const { id } = await stage.create();
      await breakOff(point, () => stage.callback(id, PASSED));
      stage.gateway.known.set(id, point === 'plans.register.called' ? REGISTERED : PASSED);
      await pass(FIRST_PAUSE_MS);
      await stage.inState(id, 'active');

      expect((await stage.eventsOf(id)).slice(-2)).toEqual(['submitted', 'activated']);
    },
  );

  it.each(['plans.status.before_call', 'plans.status.called'] as const)(
    'at %s: the gateway is asked for the state again',
    async (point) => {
      stage.gateway.onRegister = () => SILENCE;
      const { id } = await stage.create();
      await stage.callback(id, PASSED);
      await stage.settled();
      stage.gateway.known.set(id, REGISTERED);
      stage.gateway.onRegister = () => ({ kind: 'yes', value: REGISTERED });
      await breakOff(point, () => pass(FIRST_PAUSE_MS));
      await pass(6 * FIRST_PAUSE_MS);

      expect((await stage.inState(id, 'active')).state).toBe('active');
    },
  );

  it.each(['plans.facts.before_commit', 'plans.facts.committed'] as const)(
    'at %s: the answer to the registration is applied once',
    async (point) => {
      const { id } = await stage.create();
      await breakOff(point, async () => {
        await stage.callback(id, PASSED);
        stage.gateway.known.set(id, REGISTERED);
      });
      await pass(FIRST_PAUSE_MS);
      await stage.inState(id, 'active');

      expect((await stage.eventsOf(id)).filter((type) => type === 'activated')).toEqual(['activated']);
    },
  );

  it.each(['plans.callback.before_commit', 'plans.callback.committed'] as const)(
    'at %s: the gateway repeats its callback, which is applied once',
    async (point) => {
      const { id } = await stage.create({ consent: undefined });
      const report = () => stage.callback(id, PASSED, `event of ${point}`);
      await breakOff(point, report);

      expect((await report()).status).toBe(200);
      expect(await stage.eventsOf(id)).toEqual(['created', 'review_completed']);
    },
  );

  it.each(['plans.generate.before_commit', 'plans.generate.committed'] as const)(
    'at %s: no installment is generated twice, and none is missed',
    async (point) => {
      const plans = await Promise.all([1, 2, 3].map(() => stage.createActive({ number_of_installments: 3 })));
      await breakOff(point, () => pass(100 * DAY_MS));
      await stage.settled();

      for (const { id } of plans)
        expect((await stage.published(id)).map(({ installment_number }) => installment_number)).toEqual([
          1, 2, 3,
        ]);
    },
  );

  it.each(['plans.draw.before_commit', 'plans.draw.committed'] as const)(
    'at %s: the same redemption draws the same installment, not a second one',
    async (point) => {
      const { id } = await stage.createActive({ auto_generate_installments: false });
      const redemption = newId('redemption');
      await breakOff(point, () => stage.draw(id, redemption));
      const again = await stage.draw(id, redemption);

      expect(again).toMatchObject({ outcome: 'drawn', installment: { redemption, installment_number: 1 } });
      expect((await stage.get(id)).remaining_installments).toBe(11);
    },
  );

  it('at plans.publish.before_commit: the event of the drawn installment is published once (CALL-7)', async () => {
    const { id } = await stage.createActive({ auto_generate_installments: false });
    await stage.draw(id);
    await breakOff('plans.publish.before_commit', () => pass(MINUTE_MS));
    await pass(FIRST_PAUSE_MS);

    expect(await stage.published(id)).toHaveLength(1);
  });

  it('at plans.end.before_commit: the event is handled again, and the plan is completed once', async () => {
    const { id } = await stage.createActive({ number_of_installments: 1 });
    await pass(60 * DAY_MS);
    const [installment] = await stage.published(id);
    if (!installment) throw new Error('one was due');
    await breakOff('plans.end.before_commit', () => stage.ended(installment));
    await stage.inState(id, 'completed');

    expect((await stage.eventsOf(id)).at(-1)).toBe('completed');
  });

  it('at plans.mandate_check.before_commit: the event that the mandate cannot collect is published once for a date', async () => {
    const { id, next_installment_date: next } = await stage.createActive(BY_MANDATE);
    if (!next) throw new Error('an active plan has a next date');
    stage.neighbours.mandates.set(MANDATE, aMandate({ mandate_status: 'PAUSED' }));
    await breakOff('plans.mandate_check.before_commit', () => stage.at(`${addDays(next, -2)}T10:00`));
    await pass(FIRST_PAUSE_MS);
    stage.neighbours.mandates.set(MANDATE, aMandate());

    expect((await stage.eventsOf(id)).filter((type) => type === 'mandate_unusable')).toHaveLength(1);
  });

  it('at plans.mandate_ended.before_commit: the event is handled again, and mandate_unusable is published once', async () => {
    const { id } = await stage.createActive(BY_MANDATE);
    const object = mandateObject(aMandate({ mandate_status: 'CANCELLED' }));
    await breakOff('plans.mandate_ended.before_commit', () => stage.consume('mandate.cancelled', object));

    const unusableEvents = async () =>
      (await stage.eventsOf(id)).filter((type) => type === 'mandate_unusable');
    await waitFor(async () => (await unusableEvents()).length > 0);
    expect(await unusableEvents()).toHaveLength(1);
  });

  it.each(['plans.skip.before_commit', 'plans.skip.committed'] as const)(
    'at %s: the request is retried with its key, and there is one instruction',
    async (point) => {
      const { id } = await stage.createActive();
      const url = `${PLANS}/${id}/skip_instructions`;
      const ask = () => stage.ask('POST', url, { body: { from: '2099-01-01' }, key: point });
      await breakOff(point, ask);

      expect((await ask()).status).toBe(200);
      expect((await stage.ask<{ data: object[] }>('GET', url)).body.data).toHaveLength(1);
    },
  );

  it.each(['plans.cancel_skip.before_commit', 'plans.cancel_skip.committed'] as const)(
    'at %s: the request is retried with its key, and the instruction is cancelled',
    async (point) => {
      const { id } = await stage.createActive();
      const url = `${PLANS}/${id}/skip_instructions`;
      const skip = await stage.ask<{ id: string }>('POST', url, { body: { from: '2099-01-01' } });
      const cancel = `${PLANS}/skip_instructions/${skip.body.id}/cancel`;
      const ask = () => stage.ask<{ state: string }>('POST', cancel, { key: point });
      await breakOff(point, ask);

      expect((await ask()).body.state).toBe('cancelled');
    },
  );

  it.each(['plans.holidays.before_commit', 'plans.holidays.committed'] as const)(
    'at %s: the request is retried with its key, and the year is replaced',
    async (point) => {
      const body = { year: 2040, dates: ['2040-01-26'], source: point };
      const ask = () => stage.ask<object>('POST', '/admin/holidays', { body, key: point, scope: 'admin' });
      await breakOff(point, ask);

      expect(await ask()).toMatchObject({ status: 200, body: { year: 2040, source: point } });
      expect(await stage.rows('SELECT day::text FROM holidays WHERE year = 2040')).toEqual([
        { day: '2040-01-26' },
      ]);
    },
  );
});
