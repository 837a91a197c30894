import { setFaultHandler, waitFor } from '@fundrail/testing';
import type { PlansFaultPoint } from './fault-points.ts';
import { PASSED } from './testing/fake-plan-gateway.ts';
import { CONSENT } from './testing/plan.builder.ts';
import type { PlansUnderTest } from './testing/plans-under-test.ts';
import { aPurchasePlanBody } from './testing/purchase-plan.builder.ts';
import { PURCHASE_PLANS, PurchasesUnderTest } from './testing/purchases-under-test.ts';

/** The write paths that only purchase plans have. Work that stops at a fault point is repeated under the same ids, and happens once. */
describe('work of purchase plans that stops at a fault point', () => {
  let purchases: PurchasesUnderTest;
  let stage: PlansUnderTest;
  beforeEach(async () => {
    purchases = await PurchasesUnderTest.start();
    ({ stage } = purchases);
  });
  afterEach(() => stage.stop());

  /** Runs it, and stops it at the point. */
  async function breakOff(point: PlansFaultPoint, doing: () => Promise<unknown>): Promise<void> {
    const fault = setFaultHandler(point);
    const done = doing().catch(() => undefined);
    await fault.reached;
    fault.fail(new Error(`broken off at ${point}`));
    await done;
  }
  /** Sends the same request with one key, first stopped at the point. Returns the second answer. */
  async function askTwice(point: PlansFaultPoint, method: 'POST' | 'PATCH', path: string, body?: object) {
    const url = `${PURCHASE_PLANS}${path}`;
    const ask = () => stage.ask<{ id: string }>(method, url, { ...(body && { body }), key: point });
    await breakOff(point, ask);
    const answer = await ask();
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.body;
  }
  const countOf = async (id: string, type: string) =>
    (await stage.eventsOf(id)).filter((one) => one === type).length;

  it.each(['plans.create.before_commit', 'plans.create.committed'] as const)(
    'at %s: a batch is created once, with all of its plans (SIP-8)',
    async (point) => {
      const mf_purchase_plans = ['a', 'b'].map((source_ref_id) => aPurchasePlanBody({ source_ref_id }));
      await askTwice(point, 'POST', '/batch', { mf_purchase_plans });
      expect(await stage.rows('SELECT FROM redemption_plans')).toHaveLength(2);
    },
  );

  it.each(['plans.change.before_commit', 'plans.change.committed'] as const)(
    'at %s: the amount is changed once, under one consent (SIP-9)',
    async (point) => {
      const { id } = await purchases.createActive();
      await askTwice(point, 'PATCH', `/${id}`, { amount: 2000, consent: CONSENT });
      const { next_installment_amount } = await purchases.get(id);
      expect([await countOf(id, 'updated'), JSON.stringify(next_installment_amount)]).toEqual([
        1,
        '2000.0000',
      ]);
    },
  );

  it.each(['plans.cancel.before_commit', 'plans.cancel.committed'] as const)(
    'at %s: the plan is cancelled once',
    async (point) => {
      const { id } = await purchases.createActive();
      await askTwice(point, 'POST', '/cancel', { id, cancellation_code: 'invest_later' });
      expect(await countOf(id, 'cancelled')).toBe(1);
    },
  );

  it.each(['plans.skip.before_commit', 'plans.skip.committed'] as const)(
    'at %s: the plan is paused once (SIP-22)',
    async (point) => {
      const { id } = await purchases.createActive();
      await askTwice(point, 'POST', `/${id}/pause`, { installments: 1 });
      expect([await countOf(id, 'paused'), (await purchases.get(id)).paused_until]).toEqual([
        1,
        '2027-01-06',
      ]);
    },
  );

  it.each(['plans.cancel_skip.before_commit', 'plans.cancel_skip.committed'] as const)(
    'at %s: every instruction is cancelled once (SIP-22)',
    async (point) => {
      const { id } = await purchases.createActive();
      for (const day of ['2027-01-06', '2027-03-08'])
        await stage.ask('POST', `${PURCHASE_PLANS}/${id}/skip_instructions`, {
          body: { from: day, to: day },
        });
      await askTwice(point, 'POST', `/${id}/resume`);
      expect([await countOf(id, 'resumed'), (await purchases.get(id)).paused_until]).toEqual([2, null]);
    },
  );

  it.each(['plans.generate.before_commit', 'plans.generate.committed'] as const)(
    'at %s: no installment is made twice, and none is missed (SIP-12)',
    async (point) => {
      const plans = [await purchases.createActive(), await purchases.createActive({ amount: 2000 })];
      await breakOff(point, () => stage.at('2027-03-28T12:00'));
      await stage.settled();
      stage.clock.advance(60_000);
      await stage.settled();
      for (const { id } of plans)
        expect((await purchases.published(id)).map(({ installment_number }) => installment_number)).toEqual([
          1, 2, 3,
        ]);
    },
  );

  it('at plans.end.before_commit: each unpaid end is counted once, and the third ends the plan once (SIP-18)', async () => {
    const { id } = await purchases.createActive();
    await stage.at('2027-03-28T12:00');
    const [one, two, three] = await purchases.published(id);
    if (!one || !two || !three) throw new Error('three were due');
    await purchases.unpaid(one);
    await purchases.unpaid(two);
    await breakOff('plans.end.before_commit', () => purchases.unpaid(three));
    await waitFor(async () => (await purchases.get(id)).state === 'cancelled');
    expect(await purchases.get(id)).toMatchObject({
      auto_cancelled: true,
      consecutive_failed_installments: 3,
    });
    expect([await countOf(id, 'installment_failed'), await countOf(id, 'cancelled')]).toEqual([3, 1]);
  });

  it('at plans.callback.before_commit: the review is recorded once', async () => {
    const { id } = await purchases.create({ consent: undefined });
    const report = () => stage.callback(id, PASSED, `event of ${id}`);
    await breakOff('plans.callback.before_commit', report);
    expect((await report()).status).toBe(200);
    expect(await stage.eventsOf(id)).toEqual(['created', 'review_completed']);
  });
});
