import { setFaultHandler } from '@fundrail/testing';
import { MandatesUnderTest } from './testing/mandates-under-test.ts';
import { DAY_MS } from './testing/mandate.builder.ts';
import type { MandatesFaultPoint } from './fault-points.ts';

const MINUTE_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;

/** Work that stops at a fault point is repeated by its caller under the same ids. The result is as if it had never stopped. */
describe('work that stops at a fault point', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start();
  });
  afterAll(() => mandates.stop());

  /** Runs it, and stops it at the point. */
  async function breakOff(point: MandatesFaultPoint, doing: () => Promise<unknown>): Promise<void> {
    const fault = setFaultHandler(point);
    const done = doing().catch(() => undefined);
    await fault.reached;
    fault.fail(new Error(`broken off at ${point}`));
    await done;
  }

  it.each(['mandates.create.before_commit', 'mandates.create.committed'] as const)(
    'at %s: the request is retried with its key, and there is one mandate',
    async (point) => {
      const body = {
        mandate_type: 'UPI',
        bank_account_id: 7,
        provider_name: 'GATEWAYPOA',
        mandate_limit: 100,
        source_ref_id: point,
      };
      const ask = () => mandates.ask<{ id: number }>('POST', '/api/pg/mandates', { body, key: point });
      await breakOff(point, ask);
      const again = await ask();
      expect(again.status).toBe(201);
      expect(await mandates.eventsOf(again.body.id)).toEqual(['created']);
    },
  );

  it.each(['mandates.cancel.before_commit', 'mandates.cancel.committed'] as const)(
    'at %s: the request is retried with its key, and the mandate is cancelled and revoked once',
    async (point) => {
      const id = await mandates.createApproved();
      await breakOff(point, () => mandates.cancel(id, { key: point }));
      expect((await mandates.get(id)).mandate_status).toBe(
        point === 'mandates.cancel.committed' ? 'CANCELLED' : 'APPROVED',
      );
      expect((await mandates.cancel(id, { key: point })).body.mandate_status).toBe('CANCELLED');
      await mandates.settled();
      expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'cancelled']);
      expect(mandates.provider.revoked.filter(({ token }) => token === `tok_${id}`)).toHaveLength(1);
    },
  );

  it.each(['mandates.revoke.before_call', 'mandates.revoke.called'] as const)(
    'at %s: the revocation is retried under the same reference',
    async (point) => {
      const id = await mandates.createApproved();
      await breakOff(point, () => mandates.cancel(id));
      await mandates.pass(FIRST_PAUSE_MS);
      await mandates.settled();
      const calls = mandates.provider.revoked.filter(({ token }) => token === `tok_${id}`);
      expect(calls).toHaveLength(point === 'mandates.revoke.called' ? 2 : 1);
      expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1);
      const open = 'SELECT FROM mandate_revocations WHERE mandate_id = $1 AND revoked_at IS NULL';
      expect(await mandates.rows(open, id)).toEqual([]);
    },
  );

  it.each(['mandates.authorisation.before_commit', 'mandates.authorisation.committed'] as const)(
    'at %s: the same payment may start again, and another one may not',
    async (point) => {
      const id = await mandates.create();
      const begin = (payment_id: number) =>
        mandates.internal<{ outcome: string }>('/authorisations', {
          tenant: 'demo',
          mandate_id: id,
          payment_id,
          replaces: [],
        });
      await breakOff(point, () => begin(8001));
      expect((await begin(8001)).body.outcome).toBe('begun');
      expect((await begin(8002)).body).toMatchObject({ code: 'AUTH_IN_PROGRESS', held_by: 8001 });
    },
  );

  it.each(['mandates.debit.before_commit', 'mandates.debit.committed'] as const)(
    'at %s: the same payment is admitted again, and another one may not debit the order',
    async (point) => {
      const id = await mandates.createApproved();
      const own = { payment_id: 20_000 + id };
      await breakOff(point, () => mandates.admit(id, own));
      expect((await mandates.admit(id, own)).outcome).toBe('admitted');
      expect(await mandates.admit(id, { payment_id: 30_000 + id })).toMatchObject({
        code: 'PAYMENT_ALREADY_EXISTS',
        held_by: own.payment_id,
      });
    },
  );

  it('at mandates.attempt_begun: the answer to the cancel contains the debit, whose status is queried later', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    const payment = 20_000 + id;
    await mandates.due(id, payment);
    const before = mandates.provider.executed.length;
    await breakOff('mandates.attempt_begun', async () => mandates.execute(payment));
    expect((await mandates.cancel(id)).body.debits_in_flight).toEqual([payment]);
    expect(mandates.provider.executed).toHaveLength(before);
    await mandates.pass(FIRST_PAUSE_MS);
    await mandates.settled();
    expect(await mandates.attempts(payment)).toEqual([1]);
  });

  it('at mandates.debit.cancelled: the request is repeated, and the debit is cancelled once', async () => {
    const id = await mandates.createApproved();
    const payment_id = 20_000 + id;
    await mandates.admit(id, { payment_id });
    const cancel = () => mandates.internal('/debits/cancel', { tenant: 'demo', payment_id });
    await breakOff('mandates.debit.cancelled', cancel);
    expect((await cancel()).body).toEqual({ outcome: 'cancelled' });
    expect(await mandates.debit(payment_id)).toEqual({ state: 'cancelled', failure_code: 'user_cancelled' });
  });

  it.each(['mandates.sweep.leased', 'mandates.sweep.resolved'] as const)(
    'at %s: payments is asked again, and what was held for a payment never created is freed',
    async (point) => {
      const id = await mandates.createApproved();
      await mandates.admit(id, { payment_id: 20_000 + id });
      await mandates.settled();
      await breakOff(point, () => mandates.pass(MINUTE_MS));
      await mandates.pass(MINUTE_MS);
      await mandates.settled();
      expect((await mandates.admit(id, { payment_id: 30_000 + id })).outcome).toBe('admitted');
    },
  );

  it.each(['mandates.status.before_call', 'mandates.status.called'] as const)(
    'at %s: the provider is asked again, and the pause is applied',
    async (point) => {
      const id = await mandates.createApproved();
      mandates.provider.states.set(`tok_${id}`, 'paused');
      await breakOff(point, () => mandates.callback(`tok_${id}`, 'paused'));
      await mandates.pass(FIRST_PAUSE_MS);
      await mandates.inStatus(id, 'PAUSED');
      expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'paused']);
    },
  );

  it('at mandates.facts.before_commit: the event is handled again, and the mandate is approved once', async () => {
    const id = await mandates.create();
    await breakOff('mandates.facts.before_commit', () => mandates.authorisationFact({ mandate_id: id }));
    await mandates.inStatus(id, 'APPROVED');
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved']);
  });

  it.each(['mandates.callback.before_commit', 'mandates.callback.committed'] as const)(
    'at %s: the provider repeats its report, which is applied once',
    async (point) => {
      const id = await mandates.createApproved();
      const report = () => mandates.callback(`tok_${id}`, 'cancelled', `event of ${point}`);
      await breakOff(point, report);
      expect((await report()).status).toBe(200);
      expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'cancelled']);
    },
  );

  it('at mandates.expire.before_commit: it expires at the next attempt', async () => {
    const now = mandates.clock.now();
    const valid_to = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10);
    const id = await mandates.createApproved({ valid_to });
    await breakOff('mandates.expire.before_commit', () => mandates.pass(2 * DAY_MS));
    await mandates.pass(FIRST_PAUSE_MS);
    await mandates.inStatus(id, 'EXPIRED');
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'expired']);
  });
});
