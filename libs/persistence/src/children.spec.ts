import { readChildren } from './children.ts';
import { bigint, text } from './column.ts';
import type { Queryable, Statement } from './database.port.ts';
import { defineTable } from './table.ts';

const SHARES = defineTable('shares', { payment_id: bigint(), tenant: text(), old_id: bigint() });
const REFUNDS = defineTable('refunds', { payment_id: bigint(), tenant: text(), reference: text() });

function answering(rows: readonly unknown[]) {
  const asked: { statement: Statement; values: readonly unknown[] }[] = [];
  const db: Queryable = {
    query: <Row>(statement: Statement, values: readonly unknown[] = []) => {
      asked.push({ statement, values });
      return Promise.resolve([...rows] as Row[]);
    },
  };
  return { asked, db };
}

describe('the children of several tables', () => {
  const read = readChildren('payments.children', 'payment_id', {
    shares: { table: SHARES, by: 'old_id' },
    refunds: { table: REFUNDS, by: 'reference' },
  });

  it('are read by one statement, which orders each table', async () => {
    const { asked, db } = answering([]);
    await read(db, ['demo'], [1, 2]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.values).toEqual([['demo'], [1, 2]]);
    expect(asked[0]?.statement.text.replaceAll(/\s+/g, ' ')).toBe(
      "(SELECT 'shares' AS list, payment_id, tenant, old_id, NULL::text AS reference FROM shares" +
        ' WHERE tenant = ANY ($1) AND payment_id = ANY ($2) ORDER BY old_id) UNION ALL ' +
        "(SELECT 'refunds' AS list, payment_id, tenant, NULL::bigint AS old_id, reference FROM refunds" +
        ' WHERE tenant = ANY ($1) AND payment_id = ANY ($2) ORDER BY reference)',
    );
  });

  it('are given to their parent in their order, with the columns of their table', async () => {
    const blank = { tenant: 'demo', old_id: null, reference: null };
    const { db } = answering([
      { ...blank, list: 'shares', payment_id: 1, old_id: 11 },
      { ...blank, list: 'shares', payment_id: 2, old_id: 12 },
      { ...blank, list: 'shares', payment_id: 1, old_id: 13 },
      { ...blank, list: 'refunds', payment_id: 1, reference: 'R1' },
    ]);
    const of = await read(db, ['demo'], [1, 2, 3]);
    expect(of(1)).toEqual({
      shares: [
        { payment_id: 1, tenant: 'demo', old_id: 11 },
        { payment_id: 1, tenant: 'demo', old_id: 13 },
      ],
      refunds: [{ payment_id: 1, tenant: 'demo', reference: 'R1' }],
    });
    expect(of(2)).toEqual({ shares: [{ payment_id: 2, tenant: 'demo', old_id: 12 }], refunds: [] });
    expect(of(3)).toEqual({ shares: [], refunds: [] });
  });
});
