import {
  istInstant,
  type MfPurchaseDto,
  type PurchaseInstallment,
  type RaisedDebit,
} from '@fundrail/contracts';
import { paymentOfEvent, setFaultHandler, waitFor } from '@fundrail/testing';
import { anInstallment, aPurchaseInstallment } from '../testing/installment.builder.ts';
import { ACCEPTED, facts } from '../testing/fake-order-gateway.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { CONTACTS } from '../testing/purchase.builder.ts';

const GENERATED = 'mf_purchase_plan.installment_generated';
const URL = '/v2/mf_purchases';
const MANDATE = { payment_source: 7001 };
const MINUTE_MS = 60_000;

describe('installments of purchase plans', () => {
  let orders: OrdersUnderTest;
  let payment = 9000;
  beforeEach(async () => {
    orders = await OrdersUnderTest.start();
    orders.gateway.onStatus = () => ({ kind: 'yes', value: facts(ACCEPTED) });
    payment += 10;
  });
  afterEach(() => orders.stop());

  const generate = (installment: PurchaseInstallment, at = orders, id?: string) =>
    at.deliver(GENERATED, installment.plan, installment, id);
  const reviewed = async (changes: Partial<PurchaseInstallment> = {}) => {
    const installment = aPurchaseInstallment(changes);
    await generate(installment);
    await orders.callback(installment.purchase, 'reviewed');
    return installment.purchase;
  };
  const dead = (id: number) => orders.deliver('payment.failed', id, paymentOfEvent({ id, status: 'FAILED' }));
  const raised = (payment_id: number): RaisedDebit => ({ outcome: 'raised', payment_id, status: 'PENDING' });

  it('become purchases under the consent of the plan, which wait for a payment (SIP-13)', async () => {
    const installment = aPurchaseInstallment({ installment_number: 3 });
    await generate(installment);
    const { plan, purchase } = installment;
    expect(await orders.get(purchase)).toMatchObject({
      ...{ state: 'under_review', plan, installment_number: 3, scheduled_on: '2026-12-23', type: 'fresh' },
      ...{ consent: CONTACTS, initiated_by: 'system', payable_until: installment.payable_until },
    });
    await orders.callback(purchase, 'reviewed');
    await orders.inState(purchase, 'pending');
    await orders.settled();
    expect(orders.neighbours.debits).toEqual([]);
    const { body } = await orders.ask<{ data: MfPurchaseDto[] }>('GET', `${URL}?plan=${plan}`);
    expect(body.data.map(({ id }) => id)).toEqual([purchase]);
  });

  it('are only recorded when they are skipped', async () => {
    const installment = aPurchaseInstallment({ state: 'cancelled', consent: null, ...MANDATE });
    await generate(installment);
    const { old_id } = await orders.get(installment.purchase);
    expect(await orders.eventsOf(installment.purchase)).toEqual(['cancelled']);
    expect(await orders.historyOf(old_id)).toEqual(['create_skipped']);
    await orders.settled();
    expect(orders.gateway.countOf('review', installment.purchase)).toBe(0);
  });

  it('are created once, by id and by the number in the plan, beside redemptions', async () => {
    const other = await orders.replica();
    const [installment, redemption] = [aPurchaseInstallment(), anInstallment()];
    const again = { ...installment, purchase: aPurchaseInstallment().purchase };
    await Promise.all([
      ...Array.from({ length: 20 }, (_, at) => generate(installment, at % 2 ? orders : other, `evt_${at}`)),
      orders.deliver('mf_redemption_plan.installment_generated', redemption.plan, redemption),
    ]);
    await generate(again);
    await other.stop();
    expect(await orders.eventsOf(installment.purchase)).toEqual(['created']);
    expect(await orders.eventsOf(again.purchase)).toEqual([]);
    expect(await orders.eventsOf(redemption.redemption)).toEqual(['created']);
  });

  it('with a mandate are debited and confirmed, many in one call (SIP-25)', async () => {
    const installments = Array.from({ length: 12 }, () => aPurchaseInstallment(MANDATE));
    await Promise.all(installments.map((installment) => generate(installment)));
    for (const { purchase } of installments) await orders.callback(purchase, 'reviewed');
    // Payments does not know the outcome yet, so all of them come again at the same time.
    await waitFor(() => orders.neighbours.debits.length === installments.length);
    await orders.settled();
    const before = orders.neighbours.batches.length;
    orders.neighbours.onDebit = ({ old_id }) => raised(old_id + 100_000);
    for (const { purchase } of installments) {
      const { old_id } = await orders.get(purchase);
      const claim = await orders.claim(old_id + 100_000, [old_id], { mandate_id: 7001 });
      expect(claim.outcome).toBe('claimed');
      // It is not known yet whether the debit exists.
      expect((await orders.get(purchase)).payment_id).toBeNull();
    }
    orders.clock.advance(5_000);
    for (const { purchase } of installments) {
      const { old_id, payment_id } = await orders.inState(purchase, 'submitted');
      expect(payment_id).toBe(old_id + 100_000);
    }
    expect(orders.neighbours.batches.slice(before)).toEqual([installments.length]);
    orders.clock.advance(60 * MINUTE_MS);
    await orders.settled();
    expect(new Set(orders.neighbours.debits.map(({ old_id }) => old_id)).size).toBe(installments.length);
  });

  it('are confirmed once although the process dies before it has recorded their debit', async () => {
    orders.neighbours.onDebit = () => raised(payment);
    const fault = setFaultHandler('orders.debits.before_commit');
    const id = await reviewed(MANDATE);
    await fault.reached;
    fault.fail(new Error('killed'));
    const { old_id } = await orders.get(id);
    await orders.claim(payment, [old_id], { mandate_id: 7001 });
    await orders.settled();
    orders.clock.advance(5_000);
    await orders.inState(id, 'submitted');
    expect(await orders.historyOf(old_id)).toEqual(['create', 'pass_review', 'confirm', 'submit']);
  });

  it('stay pending and payable when their debit is refused, and are not debited again', async () => {
    const message = 'is paused';
    orders.neighbours.onDebit = () => ({ outcome: 'refused', code: 'MANDATE_NOT_APPROVED', message });
    const id = await reviewed(MANDATE);
    await waitFor(() => orders.neighbours.debits.length === 1);
    orders.clock.advance(60 * MINUTE_MS);
    await orders.settled();
    const { old_id, state } = await orders.get(id);
    expect([state, orders.neighbours.debits.length]).toEqual(['pending', 1]);
    orders.neighbours.payments.add(payment);
    await orders.claim(payment, [old_id]);
    await orders.inState(id, 'submitted');
  });

  it('confirm themselves once the payment of the client exists, and not by its claim alone (SIP-26)', async () => {
    const id = await reviewed();
    const { old_id } = await orders.inState(id, 'pending');
    await orders.claim(payment, [old_id]);
    await orders.settled();
    expect((await orders.get(id)).state).toBe('pending');
    orders.neighbours.payments.add(payment);
    orders.clock.advance(500);
    await orders.inState(id, 'submitted');
    const answer = await orders.ask('PATCH', URL, { body: { id, state: 'confirmed' } });
    expect(answer).toMatchObject({ status: 200, body: { state: 'submitted', payment_id: payment } });
  });

  it('take the payment of the client that came before their debit, at once (SIP-26)', async () => {
    orders.neighbours.payments.add(payment);
    orders.neighbours.onDebit = () => null;
    const id = await reviewed(MANDATE);
    await waitFor(() => orders.neighbours.debits.length === 1);
    const { old_id } = await orders.get(id);
    await orders.claim(payment, [old_id]);
    expect((await orders.inState(id, 'submitted')).payment_id).toBe(payment);
    orders.clock.advance(60 * MINUTE_MS);
    await orders.settled();
    expect(orders.neighbours.debits).toHaveLength(1);
  });

  it.each([
    ['order_expiry', {}],
    ['mandate_payment_failed', MANDATE],
  ])('fail with %s after their last moment, not before (SIP-27)', async (failure_code, of) => {
    orders.neighbours.onDebit = () => ({ outcome: 'refused', code: 'MANDATE_LIMIT_EXCEEDED', message: '' });
    const id = await reviewed(of);
    await orders.inState(id, 'pending');
    await orders.settled();
    const until = istInstant('2026-12-29', '23:00');
    orders.clock.set(new Date(until.getTime() - 1));
    await orders.settled();
    expect((await orders.get(id)).state).toBe('pending');
    orders.clock.advance(1);
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code });
  });

  it('may be paid again after a payment failed, until the next 23:00 at which none holds them', async () => {
    const id = await reviewed();
    const { old_id } = await orders.inState(id, 'pending');
    for (const one of [payment, payment + 1]) {
      orders.neighbours.payments.add(one);
      await orders.claim(one, [old_id]);
      await orders.inState(id, 'submitted');
      if (one === payment) await dead(one);
    }
    orders.clock.set(istInstant('2026-12-29', '23:00'));
    await orders.settled();
    expect((await orders.get(id)).state).toBe('submitted');
    await dead(payment + 1);
    orders.clock.set(istInstant('2026-12-30', '22:59'));
    await orders.settled();
    expect((await orders.get(id)).state).toBe('submitted');
    orders.clock.set(istInstant('2026-12-30', '23:00'));
    expect(await orders.inState(id, 'failed')).toMatchObject({ failure_code: 'payment_url_unused' });
  });

  it('are confirmed once although the process dies before it commits that', async () => {
    orders.neighbours.payments.add(payment);
    const id = await reviewed();
    const { old_id } = await orders.inState(id, 'pending');
    const fault = setFaultHandler('orders.confirm_installment.before_commit');
    await orders.claim(payment, [old_id]);
    await fault.reached;
    fault.fail(new Error('killed'));
    await orders.settled();
    orders.clock.advance(5_000);
    await orders.inState(id, 'submitted');
    expect(await orders.historyOf(old_id)).toEqual(['create', 'pass_review', 'confirm', 'submit']);
  });

  it('end once although the process dies before it commits that', async () => {
    const id = await reviewed();
    const { old_id } = await orders.inState(id, 'pending');
    const fault = setFaultHandler('orders.expire_installment.before_commit');
    orders.clock.set(istInstant('2026-12-29', '23:00'));
    await fault.reached;
    fault.fail(new Error('killed'));
    await orders.settled();
    orders.clock.advance(5_000);
    await orders.inState(id, 'failed');
    expect(await orders.historyOf(old_id)).toEqual(['create', 'pass_review', 'expire']);
  });
});
