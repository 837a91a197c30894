import { Decimal } from '@fundrail/contracts';
import { bigint, jsonb, numeric, text, textArray, timestamptz } from './column.ts';
import type { Queryable, Statement, Tx } from './database.port.ts';
import { insertRow, saveRow, saveRows } from './statements.ts';
import { defineTable, type RowOf } from './table.ts';

const SHARES = defineTable('shares', {
  id: bigint().primary(),
  tenant: text(),
  amount: numeric(),
  state: text<'open' | 'paid'>().bySteps(),
  paid_at: timestamptz().nullable().byLaterSteps(),
  claimed_by: bigint().nullable().aside(),
});
type Share = RowOf<typeof SHARES>;

const OPEN: Share = {
  ...{
    id: 7,
    tenant: 'demo',
    amount: Decimal.parse('12.50'),
    state: 'open',
    paid_at: null,
    claimed_by: null,
  },
};
const PAID: Share = { ...OPEN, state: 'paid', paid_at: new Date('2026-11-25T04:00:00Z') };

/** A connection that keeps what it was asked, and answers these rows. */
function recording(rows: readonly unknown[] = []) {
  const asked: { statement: Statement; values: readonly unknown[] }[] = [];
  const db: Queryable = {
    query: <Row>(statement: Statement, values: readonly unknown[] = []) => {
      asked.push({ statement, values });
      return Promise.resolve([...rows] as Row[]);
    },
  };
  const tx: Tx = { ...db, now: new Date('2026-11-25T04:00:00Z'), signal: () => undefined };
  return { asked, db, tx };
}

const inOneLine = (sql: string | undefined) => sql?.replaceAll(/\s+/g, ' ').trim();

describe('a declared table', () => {
  it('knows who writes each column', () => {
    expect(SHARES.names).toEqual(['id', 'tenant', 'amount', 'state', 'paid_at', 'claimed_by']);
    expect(SHARES.inserted).toEqual(['id', 'tenant', 'amount', 'state']);
    expect(SHARES.stepped).toEqual(['state', 'paid_at']);
  });

  it('is an entity of TypeORM with the same columns', () => {
    const { name, tableName, columns } = SHARES.entity.options;
    expect([name, tableName]).toEqual(['shares', 'shares']);
    expect(columns.id).toMatchObject({ type: 'bigint', primary: true, nullable: false });
    expect(columns.paid_at).toMatchObject({ type: 'timestamptz', primary: false, nullable: true });
  });

  it('inserts what the creation writes, and answers what RETURNING names', async () => {
    const { asked, db } = recording([{ id: 7 }]);
    const insert = insertRow(SHARES, 'ON CONFLICT DO NOTHING RETURNING id');
    expect(await insert(db, OPEN)).toEqual([{ id: 7 }]);
    expect(asked[0]?.statement.name).toBe('shares.insert');
    expect(inOneLine(asked[0]?.statement.text)).toBe(
      'INSERT INTO shares (id, tenant, amount, state) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id',
    );
    expect(asked[0]?.values).toEqual([7, 'demo', OPEN.amount, 'open']);
  });

  it('saves what steps write, for this tenant, and nothing that is written aside', async () => {
    const { asked, tx } = recording();
    await saveRow(SHARES, 'id')(tx, PAID);
    expect(inOneLine(asked[0]?.statement.text)).toBe(
      'UPDATE shares SET state = $3, paid_at = $4 WHERE tenant = $1 AND id = $2',
    );
    expect(asked[0]?.values).toEqual(['demo', 7, 'paid', PAID.paid_at]);
  });

  it('saves many rows in one statement, and leaves out those that no step changed', async () => {
    const { asked, tx } = recording();
    const claimed: Share = { ...OPEN, id: 8, claimed_by: 1 };
    await saveRows(SHARES, 'id')(tx, [
      { before: OPEN, after: PAID },
      { before: { ...claimed, claimed_by: null }, after: claimed },
    ]);
    expect(asked).toHaveLength(1);
    expect(inOneLine(asked[0]?.statement.text)).toBe(
      'UPDATE shares AS o SET state = n.state, paid_at = n.paid_at FROM unnest($1::text[], $2::bigint[], $3::text[], $4::timestamptz[])' +
        ' AS n (tenant, id, state, paid_at) WHERE o.tenant = n.tenant AND o.id = n.id AND o.id = ANY ($2)',
    );
    expect(asked[0]?.values).toEqual([['demo'], [7], ['paid'], [PAID.paid_at]]);
  });

  it('sends no statement when nothing changed', async () => {
    const { asked, tx } = recording();
    await saveRows(SHARES, 'id')(tx, [{ before: OPEN, after: { ...OPEN } }]);
    expect(asked).toEqual([]);
  });

  it('refuses to batch a column of lists, which unnest would take apart', () => {
    const LISTS = defineTable('lists', {
      id: text().primary(),
      tenant: text(),
      types: textArray().bySteps(),
    });
    expect(() => saveRows(LISTS, 'id')).toThrow('types has lists');
  });

  it('saves no row of a table without a tenant: it does not compile', () => {
    const LONE = defineTable('lone', { id: text().primary(), state: text().bySteps() });
    // @ts-expect-error -- every UPDATE names the tenant
    expect(saveRow(LONE, 'id')).toBeInstanceOf(Function);
  });

  it('gives rows their types: a column that is not null takes none', () => {
    // @ts-expect-error -- `tenant` is not null
    const wrong: Share = { ...OPEN, tenant: null };
    expect(wrong.tenant).toBeNull();
    expect(defineTable('notes', { tags: jsonb<string[]>().nullable() }).columns.tags.isNullable).toBe(true);
  });
});
