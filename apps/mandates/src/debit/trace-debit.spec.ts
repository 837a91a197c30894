import type { RecordedCallRow } from '@fundrail/service-kit/calls';
import { aDebit, anAttempt, NOW } from '../testing/mandate.builder.ts';
import type { AttemptRow } from './debit.table.ts';
import { toTrace, type DebitProgress } from './trace-debit.ts';

const call = (reference: string): RecordedCallRow => ({
  ...{ reference, attempts: 4, tried_at: NOW, call: 'execute', outcome: 'too_many_requests', detail: null },
  answered_at: NOW,
});

describe('the trace of a debit', () => {
  it('shows the calls of a postponed execution with the one that is planned in its place', () => {
    const next = new Date(NOW.getTime() + 300_000);
    const nextTry: DebitProgress['nextTry'] = (kinds) =>
      kinds.includes('debit.execute.gatewaypoa') ? next : null;
    const calls = new Map([['P000000009001A1', call('P000000009001A1')]]);
    expect(toTrace(aDebit({ execute_at: next }), { calls, nextTry }).executions).toMatchObject([
      { number: 1, started_at: null, attempts: 4, next_try_at: '2026-12-21T10:05:00.000+05:30' },
    ]);
  });

  it('shows when the investor refused the debit (DEB-21)', () => {
    const { notice } = toTrace(aDebit({ opted_out_at: NOW }), { calls: new Map(), nextTry: () => null });
    expect(notice.opted_out_at).toBe('2026-12-21T10:00:00.000+05:30');
  });

  it('plans queries for the open attempt only, or for all when none is open', () => {
    const planned = (...attempts: readonly AttemptRow[]) => {
      const nextTry: DebitProgress['nextTry'] = (kinds) => (kinds.includes('debit.status') ? NOW : null);
      const { executions } = toTrace(aDebit({ attempts }), { calls: new Map(), nextTry });
      return executions.map(({ next_try_at }) => next_try_at !== null);
    };
    const failed = anAttempt({ state: 'failed', ended_at: NOW, failure_code: 'payment_failed' });
    const second = anAttempt({ number: 2, reference: 'P000000009001A2' });
    expect(planned(failed, second)).toEqual([false, true]);
    expect(planned(failed, { ...failed, number: 2 })).toEqual([true, true]);
  });
});
