import { istInstant } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import type { PaymentFaultPoint } from '../fault-points.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

/** After this time, a `not_found` of the provider counts. */
const AFTER_A_CRASH_MS = 60_000;

/** The points of a debit at which it fails as in a crash. Its due work then goes on from the committed state. */
const POINTS = [
  'payments.notice_begun',
  'payments.notice_answered',
  'payments.notified',
  'payments.attempt_begun',
  'payments.attempt_answered',
  'payments.attempt_applied',
] as const satisfies readonly PaymentFaultPoint[];

describe('a debit after a crash', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  it.each(POINTS)('at %s ends in one notice, one execution and one success', async (point) => {
    const { mandates } = stage.neighbours;
    const bank = stage.provider.mandates;
    // The provider does not know an execution that did not arrive, and reports one that did as waiting.
    const arrived = () => bank.executed.length > 0;
    bank.debitStatus = (debit) => {
      bank.statusQueries.push(debit);
      return Promise.resolve(
        arrived() ? { kind: 'yes', value: { status: 'waiting' } } : { kind: 'not_found' },
      );
    };
    const order = stage.neighbours.anOrder();
    const { id } = (await stage.debit(mandates.anApproved().id, order)).json<{ id: number }>();
    const fault = setFaultHandler(point);
    const crashed = fault.reached.then(() => fault.fail(new Error('crashed there')));
    await stage.orderBecomes(order, 'submitted');
    if (point.startsWith('payments.not')) {
      await crashed;
      await stage.pass(AFTER_A_CRASH_MS);
    }
    await stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
    await stage.pass(istInstant('2026-12-22', '13:01').getTime() - stage.clock.now().getTime());
    if (point.startsWith('payments.att')) {
      await crashed;
      await stage.pass(AFTER_A_CRASH_MS);
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
    // Each call has a permit, all have the one reference of the attempt, and no permit stays open.
    const references = [...bank.notices, ...bank.executed].map((debit) => debit.reference);
    expect(new Set(references)).toEqual(new Set([`${payment_reference}A1`]));
    expect(mandates.granted).toHaveLength(references.length);
    await waitFor(() => mandates.open.size === 0);
    expect(await stage.rows('SELECT number FROM debit_attempts')).toEqual([{ number: 1 }]);
    expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
  });

  it('at payments.debit_admitted holds neither the order nor an admission', async () => {
    const fault = setFaultHandler('payments.debit_admitted');
    const order = stage.neighbours.anOrder();
    const answer = stage.debit(stage.neighbours.mandates.anApproved().id, order);
    await fault.reached;
    fault.fail(new Error('crashed there'));
    expect((await answer).status).toBe(500);
    expect([order.claimed_by, stage.neighbours.mandates.debits.size]).toEqual([null, 0]);
  });
});
