import { istTimestamp, parseJson, paymentTrace, type PaymentTraceDto } from '@fundrail/contracts';
import { SILENCE } from '@fundrail/payments/testing';
import { attemptReference } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, failed } from '../testing/debits/debit-play.ts';

/** Personal data in the fakes, which must not appear in a trace. */
const PERSONAL = /001122334455|investor@example\.com|9876543210|A Investor|@upi|secret/;

describe('the trace of a debit (ADMIN-14)', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  const traceOf = async (id: number): Promise<PaymentTraceDto> => {
    const authorization = play.stage.neighbours.tokens.header('demo', 'admin');
    const { status, body } = await play.stage.send('GET', `/admin/payments/${id}/trace`, undefined, {
      authorization,
    });
    expect([status, body]).toEqual([200, expect.not.stringMatching(PERSONAL)]);
    return paymentTrace.parse(parseJson(body));
  };
  const later = (ms: number) => istTimestamp(new Date(play.stage.clock.now().getTime() + ms));

  it('shows each execution, its calls, and when the next one is planned', async () => {
    play.bank.onExecute.set(SILENCE);
    const id = await play.executed();
    const first = await waitFor(async () => {
      const trace = await traceOf(id);
      return trace.debit?.executions[0]?.attempts === 1 ? trace : null;
    });
    expect(first).toMatchObject({ status: 'PENDING', collection: null });
    expect(first.debit?.notice).toMatchObject({
      ...{ attempts: 1, notified_at: expect.any(String) },
      last_answer: { call: 'notify', outcome: 'answered' },
    });
    expect(first.debit?.executions).toMatchObject([
      {
        ...{
          number: 1,
          reference: attemptReference(id, 1),
          ended_at: null,
          amc_order_ids: [play.order.old_id],
        },
        next_try_at: later(90_000),
        last_answer: { call: 'execute', outcome: 'no_answer', text: 'time-out' },
      },
    ]);

    await play.reportAttempt(id, 1, failed('insufficient_funds'));
    const second = await traceOf(id);
    expect(second.debit?.executions).toMatchObject([
      { number: 1, attempts: 1, failure_code: 'insufficient_funds', ended_at: expect.any(String) },
      {
        ...{ number: 2, reference: attemptReference(id, 2), started_at: null, attempts: null },
        next_try_at: '2026-12-22T21:30:00.000+05:30',
      },
    ]);
  });
});
