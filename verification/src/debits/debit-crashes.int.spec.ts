import { istInstant } from '@fundrail/contracts';
import { setFaultHandler } from '@fundrail/testing';
import type { MandatesFaultPoint } from '@fundrail/mandates';
import { capturedAs } from '@fundrail/payments/testing';
import { DebitPlay } from '../testing/debits/debit-play.ts';

/** After this time the provider is asked about an execution (POL-10), and a `not_found` counts. */
const AFTER_A_CRASH_MS = 90_000;

/** The points of a debit at which it fails as in a crash. Its due work then goes on from the committed state. */
const POINTS = [
  'mandates.notice_begun',
  'mandates.notice_answered',
  'mandates.notified',
  'mandates.attempt_begun',
  'mandates.attempt_answered',
  'mandates.attempt_applied',
] as const satisfies readonly MandatesFaultPoint[];

describe('a debit after a crash', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  it.each(POINTS)('at %s ends in one notice, one execution and one success', async (point) => {
    const { stage, bank, order } = play;
    // The provider does not know an execution that did not arrive, and reports one that did as waiting.
    const arrived = () => bank.executed.length > 0;
    bank.debitStatus = (debit) => {
      bank.statusQueries.push(debit);
      return Promise.resolve(
        arrived() ? { kind: 'yes', value: { status: 'waiting' } } : { kind: 'not_found' },
      );
    };
    const id = await play.raised();
    const fault = setFaultHandler(point);
    const crashed = fault.reached.then(() => fault.fail(new Error('crashed there')));
    await stage.orderBecomes(order, 'submitted');
    if (point.startsWith('mandates.not')) {
      await crashed;
      await stage.pass(AFTER_A_CRASH_MS);
    }
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    await stage.pass(istInstant('2026-12-22', '13:01').getTime() - stage.clock.now().getTime());
    if (point.startsWith('mandates.att')) {
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
    // All calls have the one reference of the attempt.
    const references = [...bank.notices, ...bank.executed].map((debit) => debit.reference);
    expect(new Set(references)).toEqual(new Set([`${payment_reference}A1`]));
    expect(await play.attempts(id)).toMatchObject([{ number: 1, state: 'succeeded' }]);
    expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
  });

  it('at payments.debit_admitted holds neither the order nor an admission', async () => {
    const fault = setFaultHandler('payments.debit_admitted');
    const { order } = play;
    const answer = play.stage.debit(play.mandate.id, order);
    await fault.reached;
    fault.fail(new Error('crashed there'));
    expect((await answer).status).toBe(500);
    expect([order.claimed_by, await play.held()]).toEqual([null, []]);
  });
});
