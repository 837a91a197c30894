import { paymentReference } from '@fundrail/providers';
import { yes } from '@fundrail/testing';
import { NONSENSE, SILENCE } from '../../testing/fake-provider.ts';
import { inStatus, PaymentsStage } from '../../testing/start-payments.ts';

describe('the URI of a payment', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  it('is requested once all orders are submitted, with our reference, the exact amount and the payer (FLOW-1, FLOW-7)', async () => {
    const orders = [
      stage.neighbours.anOrder({ amount: '1001' }),
      stage.neighbours.anOrder({ amount: '5000.50' }),
    ];
    const id = await stage.pay(...orders);
    await stage.orderBecomes(orders[0]!, 'submitted');
    expect(stage.provider.registered).toEqual([]);
    await stage.orderBecomes(orders[1]!, 'submitted');
    const payment = await stage.until(id, ({ upi }) => upi?.uri !== null);
    expect(payment.upi?.uri).toContain('am=6001.50');
    expect(stage.provider.registered).toMatchObject([
      { reference: paymentReference(id), payment_id: id, payer: { ifsc_code: 'HDFC0000001' } },
    ]);
    expect(await stage.events(id)).toEqual(['payment.pending', 'payment.updated']);
  });

  it.each([
    ['no answer', SILENCE],
    ['nonsense', NONSENSE],
    ['another reference', yes({ uri: 'upi://pay?pa=a&pn=b&tr=other&am=5000.00&cu=INR' })],
  ])('is asked for again after %s, and the payment waits (PAY-29)', async (_, first) => {
    const order = stage.neighbours.anOrder();
    stage.provider.onIssue.set(first, null);
    const id = await stage.pay(order);
    await stage.orderBecomes(order, 'submitted');
    await stage.until(id, () => stage.provider.registered.length === 1);
    expect(await stage.get(id)).toMatchObject({ status: 'PENDING', upi: { uri: null } });
    await stage.until(id, () => {
      stage.clock.advance(5_000);
      return stage.provider.registered.length === 2;
    });
    await stage.until(id, ({ upi }) => upi?.uri !== null);
    expect(new Set(stage.provider.registered.map((call) => call.reference)).size).toBe(1);
  });

  it('is not offered with another payee than the operator; it is requested again and offered once the name is right (FLOW-9)', async () => {
    const order = stage.neighbours.anOrder();
    stage.neighbours.settings.operator_name = 'Acme Wealth';
    const id = await stage.pay(order);
    await stage.orderBecomes(order, 'submitted');
    await stage.until(id, () => stage.provider.registered.length === 1);
    expect(stage.provider.registered[0]?.payee_name).toBe('Acme Wealth');
    await stage.until(id, () => {
      stage.clock.advance(5_000);
      return stage.provider.registered.length >= 2;
    });
    expect((await stage.get(id)).upi?.uri).toBeNull();
    const kept = "SELECT outcome, detail FROM provider_calls WHERE payment_id = $1 AND call = 'issue_uri'";
    expect(await stage.rows(kept, id)).toEqual([
      { outcome: 'not_understood', detail: 'the URI names another payee than operator_name' },
    ]);
    const ours = `upi://pay?pa=op%40bank&pn=ACME%20WEALTH&tr=${paymentReference(id)}&am=5000.00&cu=INR`;
    stage.provider.onIssue.set(yes({ uri: ours }));
    await stage.until(id, ({ upi }) => {
      stage.clock.advance(1_000);
      return upi?.uri === ours;
    });
  });

  it.each([
    ['require', 'refused'],
    ['warn', 'shown'],
    ['off', 'shown'],
  ])(
    'that pays a plain UPI ID, where the tenant has the mode %s, is %s; one that pays a validated handle is shown (FLOW-16)',
    async (mode, outcome) => {
      const order = stage.neighbours.anOrder();
      Object.assign(stage.neighbours.settings, { policies: { validated_upi_handle: { mode } } });
      const id = await stage.pay(order);
      await stage.orderBecomes(order, 'submitted');
      const kept = "SELECT detail FROM provider_calls WHERE payment_id = $1 AND call = 'issue_uri'";
      await stage.until(id, async () => (await stage.rows(kept, id)).length > 0);
      if (outcome === 'shown') {
        await stage.until(id, ({ upi }) => upi?.uri !== null);
        return;
      }
      expect(await stage.rows(kept, id)).toEqual([{ detail: 'the URI pays no validated UPI handle' }]);
      expect((await stage.get(id)).upi?.uri).toBeNull();
      const ours = `upi://pay?pa=acme.mf@validhdfc&pn=Operator&tr=${paymentReference(id)}&am=5000.00&cu=INR`;
      stage.provider.onIssue.set(yes({ uri: ours }));
      await stage.until(id, ({ upi }) => {
        stage.clock.advance(5_000);
        return upi?.uri === ours;
      });
    },
  );

  it('that the provider refuses fails the payment with the provider’s code', async () => {
    const order = stage.neighbours.anOrder();
    stage.provider.onIssue.set({ kind: 'no', failure_code: 'payment_failed', message: '' });
    const id = await stage.pay(order);
    await stage.orderBecomes(order, 'submitted');
    expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'payment_failed' });
  });

  it('is not requested when an order fails first: the payment fails and the other orders are released', async () => {
    const orders = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
    const id = await stage.pay(...orders);
    await stage.orderBecomes(orders[0]!, 'failed', 'mf_purchase.failed');
    expect((await stage.get(id)).status).toBe('FAILED');
    expect((await stage.create([orders[1]!])).status).toBe(200);
  });
});
