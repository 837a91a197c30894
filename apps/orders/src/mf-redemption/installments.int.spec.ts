import { newId, type DrawResult, type MfRedemptionDto, type PlanInstallment } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { paymentOfEvent, waitFor } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import { aCollectedInstallment, anInstallment } from '../testing/installment.builder.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { CONTACTS } from '../testing/purchase.builder.ts';

const URL = '/v2/mf_redemptions';
const GENERATED = 'mf_redemption_plan.installment_generated';
const CONFIRMED = ['created', 'review_completed', 'confirmed'];
type List = { data: MfRedemptionDto[] };

const inPlan = sql('test.in_plan', 'SELECT id FROM mf_orders WHERE plan = $1 ORDER BY installment_number');
const leaveDraws = sql(
  'test.leave_draws',
  `INSERT INTO installment_draws (tenant, key, plan, redemption, drawn_at)
   SELECT 'demo', $1 || ' ' || number, '', '', drawn_at FROM unnest($2::timestamptz[]) WITH ORDINALITY AS d (drawn_at, number)`,
);
const leftDraws = sql('test.left_draws', 'SELECT key FROM installment_draws');
const DAY_MS = 86_400_000;
const BETWEEN_LOOKS_MS = 600_000;

describe('installments of plans', () => {
  let orders: OrdersUnderTest;
  let nextPayment = 5000;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());
  beforeEach(() => {
    nextPayment += 1;
    orders.neighbours.onDebit = () => null;
  });

  const generate = (installment: PlanInstallment, at = orders, id?: string) =>
    at.deliver(GENERATED, installment.plan, installment, id);
  const reached = (id: string, state: MfRedemptionDto['state']) => orders.inState<MfRedemptionDto>(id, state);
  const redemptionsOf = (plan: string) => orders.running.database.query<{ id: string }>(inPlan, [plan]);
  /** A confirmed installment that the debit `nextPayment` claims, as payments does when it has to start the debit. */
  const debited = async (status: 'PENDING' | 'SUCCESS' | 'FAILED' = 'PENDING') => {
    const payment_id = nextPayment;
    orders.neighbours.onDebit = () => ({ outcome: 'raised', payment_id, status: 'PENDING' });
    const installment = aCollectedInstallment();
    await generate(installment);
    await orders.callback(installment.redemption, 'reviewed');
    const { id, old_id } = await reached(installment.redemption, 'confirmed');
    await orders.settled();
    const claim = await orders.claim(payment_id, [old_id], { mandate_id: 7001 });
    expect(claim).toMatchObject({ outcome: 'claimed' });
    const deliver = (type: 'payment.success' | 'payment.failed', payment = payment_id) =>
      orders.deliver(
        type,
        payment,
        paymentOfEvent({
          ...{ id: payment, status: type === 'payment.success' ? 'SUCCESS' : 'FAILED' },
          ...{ payment_type: 'NACH', amc_order_ids: [old_id] },
        }),
      );
    if (status === 'SUCCESS') await deliver('payment.success');
    if (status === 'FAILED') await deliver('payment.failed');
    return { id, old_id, payment_id, deliver };
  };

  it('becomes a redemption, which is confirmed automatically under the consent of the plan, and submitted', async () => {
    const installment = anInstallment({ installment_number: 3 });
    const { plan, redemption } = installment;
    await generate(installment);
    expect(await orders.get(redemption)).toMatchObject({
      ...{ state: 'under_review', plan, installment_number: 3, scheduled_on: '2026-12-21' },
      ...{ consent: CONTACTS, initiated_by: 'system', type: 'amount' },
    });
    await orders.callback(redemption, 'reviewed');
    await reached(redemption, 'submitted');
    await orders.callback(redemption, 'successful');
    await reached(redemption, 'successful');
    expect(await orders.eventsOf(redemption)).toEqual([...CONFIRMED, 'submitted', 'successful']);
    for (const spelling of [plan, plan.replace('mfr_', 'mfrp_')]) {
      const { body } = await orders.ask<List>('GET', `${URL}?plan=${spelling}`);
      expect(body.data.map(({ id }) => id)).toEqual([redemption]);
    }
  });

  it('cannot be cancelled, because it is confirmed automatically', async () => {
    const installment = anInstallment();
    await generate(installment);
    const refused = await orders.refused('POST', `${URL}/${installment.redemption}/cancel`);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
  });

  it('is stored as cancelled when it was skipped, with that event only (ORD-26)', async () => {
    const installment = anInstallment({ state: 'cancelled' });
    await generate(installment);
    const kept = await orders.get<MfRedemptionDto>(installment.redemption);
    expect(kept.state).toBe('cancelled');
    expect(kept.cancelled_at).not.toBeNull();
    expect(await orders.eventsOf(installment.redemption)).toEqual(['cancelled']);
    expect(await orders.historyOf(kept.old_id)).toEqual(['create_skipped']);
    await orders.settled();
    expect(orders.gateway.countOf('review', installment.redemption)).toBe(0);
  });

  it('is listed by the instruction that skipped it (ORD-33)', async () => {
    const [made, skipped] = [anInstallment(), anInstallment({ state: 'cancelled' })];
    const ofPlan = { plan: skipped.plan, installment_number: 2 };
    for (const one of [skipped, { ...made, ...ofPlan }]) await generate(one);
    const instruction = `psi_${skipped.redemption.slice('mfrd_'.length)}`;
    const listed = async (more = '', tenant = 'demo') => {
      const asked = await orders.ask<List>('GET', `${URL}?skip_instruction=${instruction}${more}`, {
        tenant,
      });
      return asked.body.data.map(({ id }) => id);
    };
    expect(await listed()).toEqual([]);
    for (const to of ['2026-12-21', null]) {
      orders.plans.skips.set(instruction, { plan: skipped.plan, from: '2026-12-21', to });
      expect(await listed()).toEqual([skipped.redemption]);
    }
    expect(await listed(`&plan=${skipped.plan}`)).toEqual([skipped.redemption]);
    expect(await listed(`&plan=${made.plan}`)).toEqual([]);
    expect(await listed('&states=pending')).toEqual([]);
    expect(await listed('', 'other')).toEqual([]);
    orders.plans.skips.set(instruction, { plan: skipped.plan, from: '2026-12-22', to: null });
    expect(await listed()).toEqual([]);
  });

  it('is created once, although its event comes a hundred times to two replicas', async () => {
    const other = await orders.replica();
    const installment = anInstallment();
    const copies = Array.from({ length: 100 }, (_, index) =>
      generate(installment, index % 2 ? orders : other, index % 3 ? `evt_${randomUUID()}` : 'evt_same'),
    );
    await Promise.all(copies);
    await other.stop();
    expect(await redemptionsOf(installment.plan)).toEqual([{ id: installment.redemption }]);
    expect(await orders.eventsOf(installment.redemption)).toEqual(['created']);
  });

  it('is created once for each number of a plan, whatever its id', async () => {
    const installment = anInstallment();
    await generate(installment);
    await generate({ ...installment, redemption: newId('redemption') });
    await generate({ ...installment, redemption: newId('redemption'), installment_number: 2 });
    const rows = await redemptionsOf(installment.plan);
    expect([rows.length, rows[0]]).toEqual([2, { id: installment.redemption }]);
  });

  describe('collected by mandate', () => {
    it('starts the debit when it is confirmed, and is submitted only after its success', async () => {
      const { id, old_id, payment_id, deliver } = await debited();
      expect(orders.neighbours.debits.at(-1)).toEqual({
        ...{ tenant: 'demo', mandate_id: 7001, old_id, order_id: id },
      });
      await orders.settled();
      expect(orders.gateway.countOf('submit', id)).toBe(0);
      await deliver('payment.success');
      expect(await reached(id, 'submitted')).toMatchObject({ payment_id });
      await deliver('payment.success');
      await orders.settled();
      expect(await orders.eventsOf(id)).toEqual([...CONFIRMED, 'submitted']);
      expect(orders.gateway.countOf('submit', id)).toBe(1);
    });

    it('fails with mandate_payment_failed when the debit does, once, and releases it', async () => {
      const { id, old_id, deliver } = await debited('FAILED');
      expect(await reached(id, 'failed')).toMatchObject({ failure_code: 'mandate_payment_failed' });
      await deliver('payment.failed');
      // Money that comes late finds a failed order, and payments refunds it.
      await deliver('payment.success');
      await orders.settled();
      expect(await orders.eventsOf(id)).toEqual([...CONFIRMED, 'failed']);
      expect(await orders.historyOf(old_id)).toContain('fail_collection');
      expect([await orders.holderOf(old_id), orders.gateway.countOf('submit', id)]).toEqual([null, 0]);
    });

    it('ignores the end of another payment', async () => {
      const { id, deliver } = await debited();
      await deliver('payment.failed', nextPayment + 1_000_000);
      await deliver('payment.success', nextPayment + 1_000_000);
      await orders.settled();
      expect(await orders.eventsOf(id)).toEqual(CONFIRMED);
    });

    it('fails at once when no debit will be started', async () => {
      orders.neighbours.onDebit = () => ({
        ...{ outcome: 'refused', code: 'MANDATE_NOT_APPROVED', message: 'it is paused' },
      });
      const { redemption: id, ...installment } = aCollectedInstallment();
      await generate({ ...installment, redemption: id });
      await orders.callback(id, 'reviewed');
      expect(await reached(id, 'failed')).toMatchObject({ failure_code: 'mandate_payment_failed' });
    });

    it('shows no payment when its claim was refused in the end, because that payment was never created', async () => {
      const { redemption: id, ...installment } = aCollectedInstallment();
      await generate({ ...installment, redemption: id });
      await orders.callback(id, 'reviewed');
      const { old_id } = await reached(id, 'confirmed');
      await orders.claim(nextPayment, [old_id], { mandate_id: 7001 });
      await orders.internal('/internal/claims/release', { tenant: 'demo', payment_id: nextPayment });
      orders.neighbours.onDebit = () => ({ outcome: 'refused', code: 'MANDATE_NOT_APPROVED', message: 'no' });
      orders.clock.advance(5_000);
      expect(await reached(id, 'failed')).toMatchObject({ payment_id: null });
    });

    it('asks again without an answer, and applies the answer about a debit that has ended meanwhile', async () => {
      const { redemption: id, ...installment } = aCollectedInstallment();
      await generate({ ...installment, redemption: id });
      await orders.callback(id, 'reviewed');
      const { old_id } = await reached(id, 'confirmed');
      await orders.settled();
      expect(await orders.eventsOf(id)).toEqual(CONFIRMED);
      await orders.claim(nextPayment, [old_id], { mandate_id: 7001 });
      const payment_id = nextPayment;
      orders.neighbours.onDebit = () => ({ outcome: 'raised', payment_id, status: 'SUCCESS' });
      orders.clock.advance(5_000);
      await reached(id, 'submitted');
      expect(await orders.eventsOf(id)).toEqual([...CONFIRMED, 'submitted']);
    });

    it('can be claimed only by a debit of its mandate, once, while it is confirmed', async () => {
      const early = aCollectedInstallment();
      await generate(early);
      const { old_id: young } = await orders.get(early.redemption);
      expect(await orders.claim(1, [young], { mandate_id: 7001 })).toMatchObject({
        ...{ outcome: 'refused', code: 'ORDER_NOT_PENDING' },
      });
      const { old_id, payment_id } = await debited('SUCCESS');
      expect(await orders.claim(payment_id + 500, [old_id])).toMatchObject({ code: 'BAD_REQUEST_ERROR' });
      expect(await orders.claim(payment_id + 500, [old_id], { mandate_id: 7002 })).toMatchObject({
        ...{ code: 'BAD_REQUEST_ERROR', errors: [{ field: 'mandate_id' }] },
      });
      expect(await orders.claim(payment_id + 500, [old_id], { mandate_id: 7001 })).toMatchObject({
        code: 'ORDER_NOT_PENDING',
      });
      expect(await orders.claim(payment_id, [old_id], { mandate_id: 7001 })).toMatchObject({
        outcome: 'claimed',
      });
    });

    it('shows its debit only once payments has created it', async () => {
      const { redemption: id, ...installment } = aCollectedInstallment();
      await generate({ ...installment, redemption: id });
      await orders.callback(id, 'reviewed');
      const { old_id } = await reached(id, 'confirmed');
      await orders.settled();
      const payment_id = nextPayment;
      await orders.claim(payment_id, [old_id], { mandate_id: 7001 });
      expect((await orders.get<MfRedemptionDto>(id)).payment_id).toBeNull();
      orders.neighbours.onDebit = () => ({ outcome: 'raised', payment_id, status: 'PENDING' });
      orders.clock.advance(5_000);
      await waitFor(async () => (await orders.get<MfRedemptionDto>(id)).payment_id === payment_id);
    });

    it('does not fail after a refusal while another debit holds it', async () => {
      const { id, deliver } = await debited();
      orders.neighbours.onDebit = () => ({ outcome: 'refused', code: 'MANDATE_NOT_APPROVED', message: 'no' });
      const again = { kind: 'order.collect', key: id, tenant: 'demo', due_at: orders.clock.now() };
      await orders.running.database.transaction((tx) => scheduleDue(tx, again));
      await orders.settled();
      expect((await orders.get(id)).state).toBe('confirmed');
      await deliver('payment.success');
      await reached(id, 'submitted');
    });
  });

  describe('generated by its caller', () => {
    const plan = newId('redemptionPlan');
    const drawn =
      (number: number) =>
      ({ redemption }: { redemption: string }): DrawResult => ({
        outcome: 'drawn',
        installment: anInstallment({ plan, redemption, installment_number: number }),
      });

    it('is drawn from the plan and returned, by either form of its id (ORD-5)', async () => {
      orders.plans.onDraw = drawn(1);
      const answer = await orders.ask('POST', URL, { body: { plan: plan.replace('mfr_', 'mfrp_') } });
      expect(answer).toMatchObject({
        status: 200,
        body: { plan, installment_number: 1, state: 'under_review' },
      });
      expect(orders.plans.drawn.at(-1)).toEqual({ tenant: 'demo', plan, redemption: answer.body.id });
    });

    it('is refused with the refusal of the plan', async () => {
      const errors = [{ field: 'plan', message: 'generates its installments by itself' }];
      orders.plans.onDraw = () => ({ outcome: 'refused', code: 'BAD_REQUEST_ERROR', message: 'no', errors });
      const answer = await orders.refused('POST', URL, { body: { plan } });
      expect(answer).toMatchObject({ status: 400, body: { error: { errors } } });
    });

    it('is answered with 503 without an answer of the plan, and a retry continues with the same id', async () => {
      orders.plans.onDraw = () => null;
      const request = { body: { plan }, key: 'installment-2' };
      expect((await orders.refused('POST', URL, request)).status).toBe(503);
      const first = orders.plans.drawn.at(-1)?.redemption ?? '';
      // It was drawn, and the plan's event arrives before the client's retry.
      orders.plans.onDraw = drawn(2);
      await generate(anInstallment({ plan, redemption: first, installment_number: 2 }));
      const again = await orders.ask('POST', URL, request);
      expect(again).toMatchObject({ status: 200, body: { id: first, installment_number: 2 } });
      expect(await orders.eventsOf(first)).toEqual(['created']);
    });

    it('keeps its draw until its key expires, when the plan never answers', async () => {
      const { database } = orders.running;
      const age = (ms: number) => new Date(orders.clock.now().getTime() + BETWEEN_LOOKS_MS - ms);
      await database.query(leaveDraws, ['old', Array<Date>(2500).fill(age(DAY_MS))]);
      await database.query(leaveDraws, ['young', [age(DAY_MS - 1)]]);
      orders.clock.advance(BETWEEN_LOOKS_MS);
      const left = async () => (await database.query<{ key: string }>(leftDraws)).map(({ key }) => key);
      await waitFor(async () => !(await left()).some((key) => key.startsWith('old')));
      expect(await left()).toContain('young 1');
    });
  });
});
