import type { Database } from '../db/database.ts';
import { Log } from '../logging/log.ts';
import { RecordedCalls } from './recorded-calls.ts';

const NOW = new Date('2026-12-21T04:30:00.000Z');
const payment = { id: 1001, tenant: 'demo' };
const silence = { kind: 'unknown', why: 'no_answer', detail: 'status 503' } as const;
const held = { kind: 'unknown', why: 'not_sent', detail: 'x', retry_after_ms: 1 } as const;

/** Records the written rows of each statement: references with their counts and answers. */
function recording(fails = false) {
  const written: unknown[][] = [];
  const database: Pick<Database, 'now' | 'query'> = {
    now: () => Promise.resolve(NOW),
    query: (_, values) => {
      if (fails) return Promise.reject(new Error('no connection'));
      const [, references = [], , sent = [], , outcomes = []] = values as readonly unknown[][];
      written.push(references.map((reference, at) => [reference, sent[at], outcomes[at]]));
      return Promise.resolve([]);
    },
  };
  return { written, calls: new RecordedCalls(database as Database, Log.to('payments', 'silent')) };
}

describe('the record of calls', () => {
  it('writes concurrent calls by one statement, with one row for each reference and its last answer', async () => {
    const { written, calls } = recording();
    await Promise.all([
      calls.record({ payment, reference: 'T1' }, 'transfer', silence),
      calls.record({ payment, reference: 'T2' }, 'transfer', silence),
      calls.record({ payment, reference: 'T1' }, 'transfer', silence),
      calls.record({ payment, reference: 'T1' }, 'transfer_status', held),
    ]);
    expect(written).toEqual([
      [
        ['T1', 2, 'not_sent'],
        ['T2', 1, 'no_answer'],
      ],
    ]);
  });

  it('does not fail the caller when a call cannot be recorded', async () => {
    const { calls } = recording(true);
    await expect(calls.record({ payment, reference: 'T1' }, 'transfer', silence)).resolves.toBeUndefined();
  });
});
