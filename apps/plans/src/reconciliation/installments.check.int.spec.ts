import { Decimal, type PlanInstallment, type RedemptionStanding } from '@fundrail/contracts';
import type { Finding, ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import { waitFor } from '@fundrail/testing';
import { aMandate, CONSENT } from '../testing/plan.builder.ts';
import { PlansUnderTest } from '../testing/plans-under-test.ts';
import { PURCHASE_PLANS, PurchasesUnderTest } from '../testing/purchases-under-test.ts';
import { installmentsCheck } from './installments.check.ts';
import { pageOfInstallments } from './standing.repository.ts';

const DAY_MS = 86_400_000;

/** The check leaves out plans with events that are not published yet. */
const untilPublished = (stage: PlansUnderTest) =>
  waitFor(async () => (await stage.rows('SELECT FROM outbox WHERE published_at IS NULL')).length === 0, {
    what: 'all events to be published',
  });

/** The second of three installments was generated more than an hour ago. */
describe('installments against their redemptions', () => {
  let stage: PlansUnderTest;
  let check: ReconciliationCheck;
  let plan: string;
  let published: PlanInstallment[];
  beforeEach(async () => {
    stage = await PlansUnderTest.start();
    check = stage.service.app.get(installmentsCheck.provide);
    plan = (await stage.createActive({ number_of_installments: 2 })).id;
    await stage.at('2027-01-05T00:05');
    await stage.at('2027-02-05T00:05');
    await stage.at('2027-02-05T01:05');
    published = await stage.published(plan);
    stand('successful', 'under_review');
    await stage.ended(installment(0));
    await untilPublished(stage);
  });
  afterEach(() => stage.stop());

  const installment = (index: number) => {
    const one = published[index];
    if (!one) throw new Error(`installment ${index + 1} was not generated`);
    return one;
  };
  /** Sets the states of the redemptions at orders; null when orders has none. */
  const stand = (...states: (RedemptionStanding['state'] | null)[]) => {
    stage.neighbours.othersAre = null;
    stage.neighbours.redemptions.clear();
    for (const [index, state] of states.entries())
      if (state !== null) stage.neighbours.redemptions.set(installment(index).redemption, state);
  };
  const find = async () => {
    const to = stage.clock.now();
    const from = new Date(to.getTime() - 3 * DAY_MS);
    const window = { from, to, wallFrom: from, wallTo: to };
    const { found, next } = await check.page(null, window);
    expect(next).toBeNull();
    // A second check finds the same.
    expect(await check.again(found)).toEqual(found);
    return found;
  };
  const named = (found: readonly Finding[]) => found.map(({ kind, object }) => `${object} ${kind}`);
  const repairAll = async (found: readonly Finding[]) => {
    const done = [];
    for (const finding of found) done.push(await check.repair(finding));
    return done;
  };

  it('given both have the same state, then nothing is found', async () => {
    expect(await find()).toEqual([]);
    stand('reversed', 'submitted');
    expect(await find()).toEqual([]);
  });

  it('given a redemption that orders does not have, then the same installment is published again', async () => {
    stand('successful', null);
    const found = await find();
    const { redemption } = installment(1);
    expect(found).toEqual([
      {
        kind: 'installment_not_at_orders',
        object: `${plan}/2`,
        tenant: 'demo',
        facts: { redemption, state: null, has_ended: false },
      },
    ]);
    expect(await repairAll(found)).toEqual([true]);
    expect(await stage.published(plan)).toEqual([...published, installment(1)]);
    expect((await stage.eventsOf(plan)).at(-1)).toBe('installment_generated');
  });

  it('given orders has lost a redemption that has ended, then it is not published again, because it would be executed twice', async () => {
    stand(null, 'under_review');
    const found = await find();
    expect(found).toMatchObject([{ kind: 'installment_not_at_orders', facts: { has_ended: true } }]);
    expect(await repairAll(found)).toEqual([false]);
    expect(await stage.published(plan)).toEqual(published);
  });

  it('given one that ends after it was found, then it is not published again', async () => {
    stand('successful', null);
    const found = await find();
    await stage.ended(installment(1), 'cancelled');
    expect(await repairAll(found)).toEqual([false]);
    expect(await stage.published(plan)).toEqual(published);
  });

  it('given one that is not published yet, even an old one, then it is on its way', async () => {
    stand('successful', null);
    await stage.service.relay?.stop();
    await stage.rows(
      'UPDATE outbox SET published_at = NULL WHERE id = (SELECT max(id) FROM outbox WHERE aggregate_id = $1)',
      plan,
    );
    expect(await find()).toEqual([]);
  });

  it('given an event of another object that is never published, then the rest is still compared', async () => {
    stand('successful', null);
    await stage.service.relay?.stop();
    await stage.rows(
      `INSERT INTO outbox (event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data)
       SELECT 'evt_stuck', type, version, tenant, $1, 1, '2027-01-01', data FROM outbox ORDER BY id LIMIT 1`,
      'mrp_another',
    );
    expect(named(await find())).toEqual([`${plan}/2 installment_not_at_orders`]);
  });

  it('given an end that the plan has not received, then it is recorded, and the last one completes the plan', async () => {
    stand('successful', 'failed');
    const found = await find();
    expect(named(found)).toEqual([`${plan}/2 installment_end_not_heard`]);
    expect(await repairAll(found)).toEqual([true]);
    expect((await stage.get(plan)).state).toBe('completed');
    expect(await find()).toEqual([]);
    expect(await repairAll(found)).toEqual([false]);
  });

  it('given a redemption that continues although the plan has received its end, then only an operator can repair it', async () => {
    stand('submitted', 'under_review');
    const found = await find();
    expect(named(found)).toEqual([`${plan}/1 installment_went_back`]);
    expect(await repairAll(found)).toEqual([false]);
  });

  it('given an installment of the last hour, then it may still be on its way', async () => {
    stand('successful', null);
    stage.clock.set('2027-02-05T01:04:00.000+05:30');
    expect(await find()).toEqual([]);
  });

  it('given one that ended before the window, then orders is not asked about it', async () => {
    await stage.at('2027-02-20T12:00');
    stand(null, 'under_review');
    expect(await find()).toEqual([]);
  });

  it('given orders does not answer, then the page is tried again', async () => {
    stage.neighbours.silent = true;
    await expect(find()).rejects.toThrow('orders does not answer');
  });

  it('continues after the last one of a page', async () => {
    const window = { from: new Date(0), to: stage.clock.now() };
    const [first, ...none] = await pageOfInstallments(
      stage.service.database,
      { plan: '', installment_number: 0 },
      window,
      1,
    );
    expect([first?.installment_number, none]).toEqual([1, []]);
    if (!first) throw new Error('there are two');
    const rest = await pageOfInstallments(stage.service.database, first, window, 10);
    expect(rest.map(({ installment_number }) => installment_number)).toEqual([2]);
  });
});

describe('installments against their purchases', () => {
  let purchases: PurchasesUnderTest;
  let stage: PlansUnderTest;
  let check: ReconciliationCheck;
  beforeEach(async () => {
    purchases = await PurchasesUnderTest.start();
    ({ stage } = purchases);
    check = stage.service.app.get<ReconciliationCheck>(installmentsCheck.provide);
  });
  afterEach(() => stage.stop());

  const twoMade = async (id: string) => {
    for (const time of ['2027-01-28T12:00', '2027-02-28T12:00', '2027-02-28T13:00']) await stage.at(time);
    const [first, second] = await purchases.published(id);
    if (!first || !second) throw new Error('two were due');
    return { first, second };
  };
  const find = async () => {
    const to = stage.clock.now();
    return (await check.page(null, { from: new Date(0), to, wallFrom: new Date(0), wallTo: to })).found;
  };
  const named = (found: readonly Finding[]) => found.map(({ kind, object }) => [kind, object]);

  it('given one that orders has with another amount, then only an operator can repair it', async () => {
    const { id } = await purchases.createActive();
    const { first, second } = await twoMade(id);
    stage.neighbours.amounts
      .set(first.purchase, Decimal.parse('1000'))
      .set(second.purchase, Decimal.parse('1000.01'));
    const found = await find();
    expect(named(found)).toEqual([['installment_amount_differs', `${id}/2`]]);
    for (const finding of found) expect(await check.repair(finding)).toBe(false);
    expect(await purchases.published(id)).toEqual([first, second]);
  });

  it('given one that orders does not have, then it is published again as it was made, whatever the plan has become', async () => {
    const { id } = await purchases.createActive({ euin: 'E123456', user_ip: '203.0.113.24' });
    const { first, second } = await twoMade(id);
    const payment_source = 2003;
    stage.neighbours.mandates.set(payment_source, aMandate({ id: payment_source }));
    for (const change of [{ amount: 2000 }, { payment_method: 'mandate', payment_source }]) {
      const body = { id, consent: CONSENT, ...change };
      expect((await stage.ask('PATCH', PURCHASE_PLANS, { body })).status).toBe(200);
    }
    stage.neighbours.othersAre = null;
    stage.neighbours.redemptions.set(first.purchase, 'submitted');
    await untilPublished(stage);
    const found = await find();
    expect(named(found)).toEqual([['installment_not_at_orders', `${id}/2`]]);
    for (const finding of found) expect(await check.repair(finding)).toBe(true);
    expect(await purchases.published(id)).toEqual([first, second, second]);
  });

  it('given one that was reversed before its plan received the success, then it counts as successful (SIP-17)', async () => {
    const { id } = await purchases.createActive();
    const { first: unpaid, second: reversed } = await twoMade(id);
    await purchases.unpaid(unpaid);
    expect((await purchases.get(id)).consecutive_failed_installments).toBe(1);
    stage.neighbours.redemptions.set(unpaid.purchase, 'failed').set(reversed.purchase, 'reversed');
    const found = await find();
    expect(named(found)).toEqual([['installment_end_not_heard', `${id}/2`]]);
    for (const finding of found) expect(await check.repair(finding)).toBe(true);
    expect(await purchases.get(id)).toMatchObject({ state: 'active', consecutive_failed_installments: 0 });
  });
});
