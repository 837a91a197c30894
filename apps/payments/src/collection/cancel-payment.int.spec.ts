import { paymentReference } from '@fundrail/providers';
import { setFaultHandler, yes } from '@fundrail/testing';
import { NOT_FOUND, SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../testing/start-payments.ts';

const MINUTE = 60_000;

describe('a payment that its client cancels', () => {
  let stage: PaymentsStage;
  let captures = 0;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const money = (amount = '5000') => capturedAs(`c${(captures += 1)}-${Date.now()}`, amount);
  const paid = (id: number, payment = money()) =>
    stage.report({ reference: paymentReference(id), fact: { about: 'payment', payment } });

  describe('cancelling', () => {
    const cancel = (id: number) => stage.send('POST', `/api/pg/payments/${id}/cancel`);

    it('fails it with user_cancelled, and a second time is a 409 that names both states (PAY-22)', async () => {
      const id = await stage.payable();
      const answer = await cancel(id);
      expect([answer.status, answer.json().failure_code]).toEqual([200, 'user_cancelled']);
      const again = await cancel(id);
      expect([again.status, again.body]).toEqual([
        409,
        expect.stringMatching(/ILLEGAL_TRANSITION.*FAILED.*FAILED/),
      ]);
    });

    it('is a 409 when it was paid, and a 503 when the provider does not answer (PAY-22)', async () => {
      const id = await stage.payable();
      stage.provider.onCancel.set(SILENCE);
      expect((await cancel(id)).status).toBe(503);
      expect((await stage.get(id)).status).toBe('PENDING');
      stage.provider.onCancel.set({ kind: 'no', failure_code: 'already_paid', message: '' });
      stage.provider.onStatus.set(yes(money()));
      expect((await cancel(id)).status).toBe(409);
      await stage.until(id, inStatus('INITIATED'));
    });

    it('is a 503, and retried when it expires, when the provider reports the money of another payment', async () => {
      const other = await stage.payable();
      const theirs = money();
      await paid(other, theirs);
      const id = await stage.payable();
      stage.provider.onCancel.set({ kind: 'no', failure_code: 'already_paid', message: '' });
      stage.provider.onStatus.set(yes(theirs));
      expect((await cancel(id)).status).toBe(503);
      await stage.pass(10 * MINUTE);
      await stage.until(id, () => stage.provider.onCancel.calls >= 2);
      stage.provider.onCancel.set(yes(null));
      await stage.pass(5_000);
      await stage.until(id, inStatus('FAILED'));
    });

    it.each([
      ['still waiting', yes({ status: 'waiting' } as const)],
      ['unknown there', NOT_FOUND],
    ])(
      'is a 503 when the provider refuses it for a payment that is %s: the payment stays PENDING',
      async (_, said) => {
        const id = await stage.payable();
        stage.provider.onCancel.set({ kind: 'no', failure_code: 'already_paid', message: '' });
        stage.provider.onStatus.set(said);
        expect((await cancel(id)).status).toBe(503);
        expect((await stage.get(id)).status).toBe('PENDING');
        await stage.pass(10 * MINUTE);
        await stage.until(id, () => stage.provider.onCancel.calls >= 2);
        expect((await stage.get(id)).status).toBe('PENDING');
        stage.provider.onCancel.set(yes(null));
        await stage.pass(5_000);
        expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ upi: { uri: expect.any(String) } });
      },
    );

    it('succeeds for the same Idempotency-Key when the process died between the effect and the answer', async () => {
      const id = await stage.payable();
      const keyed = () =>
        stage.send('POST', `/api/pg/payments/${id}/cancel`, {}, { 'idempotency-key': 'died' });
      const first = await keyed();
      await stage.rows(
        `UPDATE idempotency_keys SET status = NULL, body = NULL, held_until = now() - interval '1 s' WHERE key = 'died'`,
      );
      const again = await keyed();
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect((await stage.events(id)).filter((type) => type === 'payment.failed')).toHaveLength(1);
    });

    it('closes it at the provider afterwards when the request for the URI is still under way', async () => {
      const order = stage.neighbours.anOrder();
      const id = await stage.pay(order);
      stage.provider.onCancel.set(NOT_FOUND, yes(null));
      const stall = setFaultHandler('payments.issue_uri.called');
      await stage.orderBecomes(order, 'submitted');
      await stall.reached;
      expect((await cancel(id)).status).toBe(200);
      stall.resume();
      await stage.until(id, () => {
        stage.clock.advance(5_000);
        return stage.provider.onCancel.calls >= 2;
      });
      expect(await stage.get(id)).toMatchObject({
        status: 'FAILED',
        failure_code: 'user_cancelled',
        upi: { uri: null },
      });
    });
  });
});
