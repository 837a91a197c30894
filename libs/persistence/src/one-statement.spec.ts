import { sql, type Statement, type Tx } from './database.port.ts';
import { inOneStatement } from './one-statement.ts';

const SAVE = sql('payments.save', 'UPDATE payments SET status = $2 WHERE id = $1');
const NOTE = sql('history.append', 'INSERT INTO history (payment_id) VALUES ($1)');
const REMOVE = sql('due_work.remove', 'DELETE FROM due_work WHERE key = $1');
const SCHEDULE = sql('due_work.schedule', 'INSERT INTO due_work (key, at) VALUES ($1, $2)');

const given = (statement: Statement, ...values: readonly unknown[]) => ({ statement, values });

async function sentFor(...writes: readonly ReturnType<typeof given>[]) {
  const sent: { name: string; text: string; values: readonly unknown[] }[] = [];
  const signals: string[] = [];
  const tx: Tx = {
    now: new Date('2026-12-21T10:00:00+05:30'),
    signal: (signal) => signals.push(signal),
    query: <Row>({ name, text }: Statement, values: readonly unknown[] = []) => {
      sent.push({ name, text, values });
      return Promise.resolve<Row[]>([]);
    },
  };
  await inOneStatement(tx, async (one) => {
    expect(one.now).toBe(tx.now);
    for (const { statement, values } of writes) await one.query(statement, values);
    one.signal('outbox');
  });
  expect(signals).toEqual(['outbox']);
  return sent;
}

describe('writes in one statement', () => {
  it('are one statement with the parameters of all', async () => {
    expect(await sentFor(given(SAVE, 7, 'SUCCESS'), given(NOTE, 7), given(REMOVE, '7'))).toEqual([
      {
        name: expect.stringMatching(/^payments\.save\.with_[0-9a-f]{8}$/),
        text:
          'WITH write_1 AS (UPDATE payments SET status = $2 WHERE id = $1), ' +
          'write_2 AS (INSERT INTO history (payment_id) VALUES ($3)) DELETE FROM due_work WHERE key = $4',
        values: [7, 'SUCCESS', 7, '7'],
      },
    ]);
  });

  it('have the same name each time, and another one for other writes', async () => {
    const names = async (...writes: readonly ReturnType<typeof given>[]) =>
      (await sentFor(...writes)).map(({ name }) => name);
    const first = await names(given(SAVE, 7, 'SUCCESS'), given(NOTE, 7));
    expect(await names(given(SAVE, 8, 'FAILED'), given(NOTE, 8))).toEqual(first);
    expect(await names(given(SAVE, 8, 'FAILED'), given(REMOVE, '8'))).not.toEqual(first);
  });

  it('are sent as they are when there is one or none', async () => {
    expect(await sentFor()).toEqual([]);
    expect(await sentFor(given(NOTE, 7))).toEqual([{ name: NOTE.name, text: NOTE.text, values: [7] }]);
  });

  it('of one table follow one another', async () => {
    const sent = await sentFor(given(SAVE, 7, 'FAILED'), given(REMOVE, '7'), given(SCHEDULE, '7', 1));
    expect(sent.map(({ values }) => values)).toEqual([
      [7, 'FAILED', '7'],
      ['7', 1],
    ]);
    expect(sent[1]?.name).toBe(SCHEDULE.name);
  });

  it.each(['SELECT 1', 'DELETE FROM payments RETURNING id'])(
    'refuse %s, whose rows no caller would get',
    async (text) => {
      await expect(sentFor(given(sql('payments.find', text)))).rejects.toThrow(
        'payments.find is no plain write',
      );
    },
  );
});
