import { Decimal } from '@fundrail/contracts';
import { authorisationOf, debited, newDebit, newRegistration } from '@fundrail/providers/testing';
import type { MandateStage } from '@fundrail/providers/testing';
import { simulatedHands } from '../testing/mandate-stage.ts';
import { RAZORPAY_KEY, SimulatorStage } from '../testing/simulator-stage.ts';

// MAN-14, DEB-12: an e-mandate is authorised on the bank's page, through Razorpay's checkout, and debited without a notice.
describe('e-mandates at sdkvendor', () => {
  let stage: SimulatorStage;
  let hands: MandateStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
    hands = {
      ...simulatedHands(stage, 'sdkvendor', (call) => call),
      ...{
        mandates: stage.razorpay.mandates,
        voids: false,
        drawsTr: true,
        reportsTerms: false,
        reportedStates: () => Promise.resolve([]),
      },
      read: ({ headers, raw }) => stage.razorpay.readCallback(headers, raw),
      callbacks: () => Promise.resolve([]),
    };
  });
  afterAll(() => stage.end());

  const checkout = () => {
    const { checkout: own } = stage.razorpay.mandates;
    return own;
  };
  const opened = async (limit = '10000000') => {
    const asked = { mandate_type: 'E_MANDATE', limit: Decimal.parse(limit) } as const;
    const registration = await newRegistration(hands, asked);
    const order = await checkout().open(registration);
    if (order.kind !== 'yes') throw new Error(JSON.stringify(order));
    return { registration, order: order.value };
  };
  const authorised = async () => {
    const { registration } = await opened();
    await hands.pay(registration.payment_id);
    const status = await authorisationOf(hands, registration.reference);
    if (status.status !== 'approved') throw new Error(status.status);
    const { mandate_token, provider_id, umrn } = status;
    return {
      registration,
      mandate: { mandate_type: 'E_MANDATE', mandate_token, provider_id, umrn } as const,
    };
  };

  it('given an authorisation, when it is opened twice, then it is one order of one customer', async () => {
    const { registration, order } = await opened();
    expect(order).toEqual({
      order_id: expect.stringMatching(/^order_/) as string,
      customer_id: expect.stringMatching(/^cust_/) as string,
    });
    expect(await checkout().open(registration)).toEqual({ kind: 'yes', value: order });
    const again = await newRegistration(hands, {
      ...registration,
      reference: 'P000000999999',
      payment_id: 999_999,
    });
    expect(await checkout().open(again)).toMatchObject({ value: { customer_id: order.customer_id } });
  });

  it("given the bank's page, when the investor authorises there, then the return is signed and the mandate has a UMRN", async () => {
    const { registration, order } = await opened();
    const back = 'https://product.example/capture';
    const started = await checkout().startEmandate(registration, order, 'HDFC', back);
    const url = started.kind === 'yes' ? new URL(started.value.redirect_url).pathname : '';
    const page = await stage.service.fastify.inject({ method: 'GET', url });
    expect(page.body).toContain('Authorise the mandate');
    const answered = await stage.service.fastify.inject({
      ...{ method: 'POST', url, payload: 'action=approve' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const field = (name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(answered.body)?.[1] ?? '';
    const payment_id = field('razorpay_payment_id');
    const signature = field('razorpay_signature');
    expect(checkout().isSigned({ order_id: order.order_id, payment_id, signature })).toBe(true);
    expect(checkout().isSigned({ order_id: order.order_id, payment_id: `${payment_id}x`, signature })).toBe(
      false,
    );
    const status = await authorisationOf(hands, registration.reference);
    expect(status).toMatchObject({ status: 'approved', provider_reference: payment_id });
    expect(status).toMatchObject({ umrn: expect.stringMatching(/^[A-Z0-9]{20}$/) as string });
    expect(checkout().keyId).toBe(RAZORPAY_KEY.keyId);
  });

  it('given an e-mandate, when its URI is requested, then there is none', async () => {
    const { registration } = await opened();
    expect((await stage.razorpay.mandates.authoriseByUri(registration)).kind).toBe('no');
  });

  it('given an e-mandate, when it is debited without a notice and retried, then each attempt is separate, and one succeeds', async () => {
    const { mandate } = await authorised();
    const debit = await newDebit(hands, mandate, { amount: Decimal.parse('250003') });
    expect(await stage.razorpay.mandates.executeDebit(debit)).toEqual({ kind: 'yes', value: null });
    const failed = { status: 'failed', failure_code: 'insufficient_funds' };
    expect(await debited(hands, debit)).toMatchObject({ value: failed });
    const retry = { ...debit, reference: `${debit.reference.slice(0, -1)}2`, attempt: 2 };
    await hands.disturb('debit_result', 'lost');
    expect(await stage.razorpay.mandates.executeDebit(retry)).toEqual({ kind: 'yes', value: null });
    await hands.pay(debit.payment_id);
    expect(await debited(hands, retry)).toMatchObject({
      value: { status: 'captured', amount: debit.amount },
    });
    expect(await stage.razorpay.mandates.debitStatus(debit)).toMatchObject({ value: failed });
  });

  it('given an e-mandate, when it is revoked, then its token is deleted, and our adapter reports that', async () => {
    const { mandate } = await authorised();
    expect(await stage.razorpay.mandates.revoke(mandate)).toEqual({ kind: 'yes', value: null });
    expect(await stage.razorpay.mandates.revoke(mandate)).toEqual({ kind: 'yes', value: null });
    const gone = { kind: 'yes', value: { status: 'cancelled' } };
    expect(await stage.razorpay.mandates.mandateStatus(mandate)).toEqual(gone);
    const debit = await newDebit(hands, mandate);
    expect(await stage.razorpay.mandates.executeDebit(debit)).toMatchObject({
      kind: 'no',
      failure_code: 'mandate_cancelled',
    });
  });
});
