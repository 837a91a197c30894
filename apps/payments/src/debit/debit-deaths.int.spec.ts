import { istInstant } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import type { PaymentFaultPoint } from '../fault-points.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

/** When the provider's word that it knows nothing of the call counts. */
const AFTER_A_DEATH_MS = 60_000;

/** The debit's way, broken at each of its points as by a death there; what is due then goes on from what was committed. */
const POINTS = [
  'payments.notice_begun',
  'payments.notice_answered',
  'payments.notified',
  'payments.attempt_begun',
  'payments.attempt_answered',
  'payments.attempt_applied',
] as const satisfies readonly PaymentFaultPoint[];

describe('a debit that dies on its way', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.end());

  it.each(POINTS)('at %s ends in one notice, one execution and one success', async (point) => {
    const { mandates } = stage.neighbours;
    const bank = stage.provider.mandates;
    // What did not arrive is not known there, what did is on its way.
    const arrived = () => bank.executed.length > 0;
    bank.debitStatus = (debit) => {
      bank.asked.push(debit);
      return Promise.resolve(
        arrived() ? { kind: 'yes', value: { status: 'waiting' } } : { kind: 'not_found' },
      );
    };
    const order = stage.neighbours.anOrder();
    const { id } = (await stage.debit(mandates.anApproved().id, order)).json<{ id: number }>();
    const fault = setFaultHandler(point);
    const died = fault.reached.then(() => fault.fail(new Error('died there')));
    await stage.orderBecomes(order, 'submitted');
    if (point.startsWith('payments.not')) {
      await died;
      await stage.pass(AFTER_A_DEATH_MS);
    }
    await stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
    await stage.pass(istInstant('2026-12-22', '13:01').getTime() - stage.clock.now().getTime());
    if (point.startsWith('payments.att')) {
      await died;
      await stage.pass(AFTER_A_DEATH_MS);
    }
    await stage.until(id, ({ status }) => status === 'SUBMITTED');
    const payment_reference = `P${String(id).padStart(12, '0')}`;
    const fact = {
      about: 'debit',
      attempt_reference: `${payment_reference}A1`,
      payment: capturedAs('c1', '5000'),
    } as const;
    await stage.report({ reference: payment_reference, fact });
    await stage.until(id, ({ status }) => status === 'INITIATED');
    // Nothing goes out without a permit, all under the one reference of the attempt, and nothing stays in flight.
    const references = [...bank.notices, ...bank.executed].map((debit) => debit.reference);
    expect(new Set(references)).toEqual(new Set([`${payment_reference}A1`]));
    expect(mandates.granted).toHaveLength(references.length);
    await waitFor(() => mandates.open.size === 0);
    expect(await stage.rows('SELECT number FROM debit_attempts')).toEqual([{ number: 1 }]);
    expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
  });

  it('at payments.debit_admitted holds nothing', async () => {
    const fault = setFaultHandler('payments.debit_admitted');
    const order = stage.neighbours.anOrder();
    const answer = stage.debit(stage.neighbours.mandates.anApproved().id, order);
    await fault.reached;
    fault.fail(new Error('died there'));
    expect((await answer).status).toBe(500);
    expect([order.claimed_by, stage.neighbours.mandates.debits.size]).toEqual([null, 0]);
  });
});
