import { addDays, newId } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import type { SwpFaultPoint } from './fault-points.ts';
import { PASSED, REGISTERED, SILENCE } from './testing/fake-plan-gateway.ts';
import { mandateObject } from './testing/mandate-object.ts';
import { aMandate, aPlanBody, DAY_MS, MANDATE, MINUTE_MS } from './testing/plan.builder.ts';
import { PLANS, SwpUnderTest } from './testing/swp-under-test.ts';

const FIRST_PAUSE_MS = 5_000;
const CONSENT = { email: 'asha.rao@example.com' };
const BY_MANDATE = { payment_method: 'mandate', payment_source: String(MANDATE) };

/** Work that stops at a fault point is repeated by its caller under the same ids. The result is as if it had never stopped. */
describe('work that stops at a fault point', () => {
  let swp: SwpUnderTest;
  beforeAll(async () => {
    swp = await SwpUnderTest.start();
  });
  afterAll(() => swp.stop());

  /** Runs it, and stops it at the point. */
  async function breakOff(point: SwpFaultPoint, doing: () => Promise<unknown>): Promise<void> {
    const fault = setFaultHandler(point);
    const done = doing().catch(() => undefined);
    await fault.reached;
    fault.fail(new Error(`broken off at ${point}`));
    await done;
  }

  /** Waits until everything due now has ended, advances business time, and waits until the new work has ended. */
  async function pass(ms: number): Promise<void> {
    await swp.settled();
    swp.clock.advance(ms);
    await swp.settled();
  }

  it.each(['swp.create.before_commit', 'swp.create.committed'] as const)(
    'at %s: the request is retried with its key, and there is one plan',
    async (point) => {
      const body = aPlanBody({ source_ref_id: point });
      const ask = () => swp.ask('POST', PLANS, { body, key: point });
      await breakOff(point, ask);
      const again = await ask();

      expect(again.status).toBe(200);
      expect(await swp.eventsOf(again.body.id)).toEqual(['created']);
    },
  );

  it.each(['swp.change.before_commit', 'swp.change.committed'] as const)(
    'at %s: the request is retried with its key, and the plan is confirmed once',
    async (point) => {
      const { id } = await swp.create({ consent: undefined });
      await swp.callback(id, PASSED);
      const body = { id, state: 'confirmed', consent: CONSENT };
      const ask = () => swp.ask('PATCH', PLANS, { body, key: point });
      await breakOff(point, ask);

      expect((await ask()).status).toBe(200);
      expect((await swp.eventsOf(id)).filter((type) => type === 'confirmed')).toEqual(['confirmed']);
    },
  );

  it.each(['swp.cancel.before_commit', 'swp.cancel.committed'] as const)(
    'at %s: the request is retried with its key, and the plan is cancelled once',
    async (point) => {
      const { id } = await swp.createActive();
      const body = { cancellation_code: 'invest_later' };
      const ask = () => swp.ask('POST', `${PLANS}/${id}/cancel`, { body, key: point });
      await breakOff(point, ask);

      expect((await ask()).body.state).toBe('cancelled');
      expect((await swp.eventsOf(id)).filter((type) => type === 'cancelled')).toEqual(['cancelled']);
    },
  );

  it.each(['swp.review.before_call', 'swp.review.called'] as const)(
    'at %s: the gateway is asked for the state, and is sent the plan if it has not received it (PLAN-8)',
    async (point) => {
      let id = '';
      await breakOff(point, async () => {
        id = (await swp.create()).id;
      });
      await pass(FIRST_PAUSE_MS);

      const sent = point === 'swp.review.called' ? ['review', 'status', 'review'] : ['status', 'review'];
      await waitFor(() => swp.gateway.callsAbout(id).length >= sent.length);
      expect(swp.gateway.callsAbout(id)).toEqual(sent);
      expect((await swp.get(id)).state).toBe('created');
    },
  );

  it.each(['swp.register.before_call', 'swp.register.called'] as const)(
    'at %s: the registration is continued, and the plan becomes active once',
    async (point) => {
      const { id } = await swp.create();
      await breakOff(point, () => swp.callback(id, PASSED));
      swp.gateway.known.set(id, point === 'swp.register.called' ? REGISTERED : PASSED);
      await pass(FIRST_PAUSE_MS);
      await swp.inState(id, 'active');

      expect((await swp.eventsOf(id)).slice(-2)).toEqual(['submitted', 'activated']);
    },
  );

  it.each(['swp.status.before_call', 'swp.status.called'] as const)(
    'at %s: the gateway is asked for the state again',
    async (point) => {
      swp.gateway.onRegister = () => SILENCE;
      const { id } = await swp.create();
      await swp.callback(id, PASSED);
      await swp.settled();
      swp.gateway.known.set(id, REGISTERED);
      swp.gateway.onRegister = () => ({ kind: 'yes', value: REGISTERED });
      await breakOff(point, () => pass(FIRST_PAUSE_MS));
      await pass(6 * FIRST_PAUSE_MS);

      expect((await swp.inState(id, 'active')).state).toBe('active');
    },
  );

  it.each(['swp.facts.before_commit', 'swp.facts.committed'] as const)(
    'at %s: the answer to the registration is applied once',
    async (point) => {
      const { id } = await swp.create();
      await breakOff(point, async () => {
        await swp.callback(id, PASSED);
        swp.gateway.known.set(id, REGISTERED);
      });
      await pass(FIRST_PAUSE_MS);
      await swp.inState(id, 'active');

      expect((await swp.eventsOf(id)).filter((type) => type === 'activated')).toEqual(['activated']);
    },
  );

  it.each(['swp.callback.before_commit', 'swp.callback.committed'] as const)(
    'at %s: the gateway repeats its callback, which is applied once',
    async (point) => {
      const { id } = await swp.create({ consent: undefined });
      const report = () => swp.callback(id, PASSED, `event of ${point}`);
      await breakOff(point, report);

      expect((await report()).status).toBe(200);
      expect(await swp.eventsOf(id)).toEqual(['created', 'review_completed']);
    },
  );

  it.each(['swp.generate.before_commit', 'swp.generate.committed'] as const)(
    'at %s: no installment is generated twice, and none is missed',
    async (point) => {
      const plans = await Promise.all([1, 2, 3].map(() => swp.createActive({ number_of_installments: 3 })));
      await breakOff(point, () => pass(100 * DAY_MS));
      await swp.settled();

      for (const { id } of plans)
        expect((await swp.published(id)).map(({ installment_number }) => installment_number)).toEqual([
          1, 2, 3,
        ]);
    },
  );

  it.each(['swp.draw.before_commit', 'swp.draw.committed'] as const)(
    'at %s: the same redemption draws the same installment, not a second one',
    async (point) => {
      const { id } = await swp.createActive({ auto_generate_installments: false });
      const redemption = newId('redemption');
      await breakOff(point, () => swp.draw(id, redemption));
      const again = await swp.draw(id, redemption);

      expect(again).toMatchObject({ outcome: 'drawn', installment: { redemption, installment_number: 1 } });
      expect((await swp.get(id)).remaining_installments).toBe(11);
    },
  );

  it('at swp.publish.before_commit: the event of the drawn installment is published once (CALL-7)', async () => {
    const { id } = await swp.createActive({ auto_generate_installments: false });
    await swp.draw(id);
    await breakOff('swp.publish.before_commit', () => pass(MINUTE_MS));
    await pass(FIRST_PAUSE_MS);

    expect(await swp.published(id)).toHaveLength(1);
  });

  it('at swp.end.before_commit: the event is handled again, and the plan is completed once', async () => {
    const { id } = await swp.createActive({ number_of_installments: 1 });
    await pass(60 * DAY_MS);
    const [installment] = await swp.published(id);
    if (!installment) throw new Error('one was due');
    await breakOff('swp.end.before_commit', () => swp.ended(installment));
    await swp.inState(id, 'completed');

    expect((await swp.eventsOf(id)).at(-1)).toBe('completed');
  });

  it('at swp.mandate_check.before_commit: the event that the mandate cannot collect is published once for a date', async () => {
    const { id, next_installment_date: next } = await swp.createActive(BY_MANDATE);
    if (!next) throw new Error('an active plan has a next date');
    swp.neighbours.mandates.set(MANDATE, aMandate({ mandate_status: 'PAUSED' }));
    await breakOff('swp.mandate_check.before_commit', () => swp.at(`${addDays(next, -2)}T10:00`));
    await pass(FIRST_PAUSE_MS);
    swp.neighbours.mandates.set(MANDATE, aMandate());

    expect((await swp.eventsOf(id)).filter((type) => type === 'mandate_unusable')).toHaveLength(1);
  });

  it('at swp.mandate_ended.before_commit: the event is handled again, and mandate_unusable is published once', async () => {
    const { id } = await swp.createActive(BY_MANDATE);
    const object = mandateObject(aMandate({ mandate_status: 'CANCELLED' }));
    await breakOff('swp.mandate_ended.before_commit', () => swp.consume('mandate.cancelled', object));

    const unusableEvents = async () => (await swp.eventsOf(id)).filter((type) => type === 'mandate_unusable');
    await waitFor(async () => (await unusableEvents()).length > 0);
    expect(await unusableEvents()).toHaveLength(1);
  });

  it.each(['swp.skip.before_commit', 'swp.skip.committed'] as const)(
    'at %s: the request is retried with its key, and there is one instruction',
    async (point) => {
      const { id } = await swp.createActive();
      const url = `${PLANS}/${id}/skip_instructions`;
      const ask = () => swp.ask('POST', url, { body: { from: '2099-01-01' }, key: point });
      await breakOff(point, ask);

      expect((await ask()).status).toBe(200);
      expect((await swp.ask<{ data: object[] }>('GET', url)).body.data).toHaveLength(1);
    },
  );

  it.each(['swp.cancel_skip.before_commit', 'swp.cancel_skip.committed'] as const)(
    'at %s: the request is retried with its key, and the instruction is cancelled',
    async (point) => {
      const { id } = await swp.createActive();
      const url = `${PLANS}/${id}/skip_instructions`;
      const skip = await swp.ask<{ id: string }>('POST', url, { body: { from: '2099-01-01' } });
      const cancel = `${PLANS}/skip_instructions/${skip.body.id}/cancel`;
      const ask = () => swp.ask<{ state: string }>('POST', cancel, { key: point });
      await breakOff(point, ask);

      expect((await ask()).body.state).toBe('cancelled');
    },
  );

  it.each(['swp.holidays.before_commit', 'swp.holidays.committed'] as const)(
    'at %s: the request is retried with its key, and the year is replaced',
    async (point) => {
      const body = { year: 2040, dates: ['2040-01-26'], source: point };
      const ask = () => swp.ask<object>('POST', '/admin/holidays', { body, key: point, scope: 'admin' });
      await breakOff(point, ask);

      expect(await ask()).toMatchObject({ status: 200, body: { year: 2040, source: point } });
      expect(await swp.rows('SELECT day::text FROM holidays WHERE year = 2040')).toEqual([
        { day: '2040-01-26' },
      ]);
    },
  );
});
