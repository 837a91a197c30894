import { createHash } from 'node:crypto';
import { sql, type Statement, type Tx } from './database.port.ts';

/** A write that is not sent yet. */
interface Write {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** A plain write, and the table that it writes. */
const WRITE = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/;
const ANSWERS = /\bRETURNING\b/;
const PARAMETER = /\$(\d+)/g;

/** The statement of each combination of writes, by their texts. */
const combined = new Map<string, Statement>();

/**
 * Sends the writes of `work` as one statement: it is sent, planned and answered once, which costs more processor than small writes
 * themselves. None sees what another has written, and none answers rows. A write of a table that is among them already begins another
 * statement, which sees the first. Throws for anything but a plain INSERT, UPDATE or DELETE, and for one with RETURNING.
 */
export async function inOneStatement(tx: Tx, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const groups: Map<string, Write>[] = [];
  await work({
    now: tx.now,
    signal: (signal) => {
      tx.signal(signal);
    },
    query: (statement, values = []) => {
      const [, table] = WRITE.exec(statement.text) ?? [];
      if (table === undefined || ANSWERS.test(statement.text))
        throw new Error(`${statement.name} is no plain write`);
      const last = groups.at(-1);
      if (last && !last.has(table)) last.set(table, { statement, values });
      else groups.push(new Map([[table, { statement, values }]]));
      return Promise.resolve([]);
    },
  });
  await Promise.all(groups.map((group) => send(tx, [...group.values()])));
}

function send(tx: Tx, writes: readonly Write[]): Promise<unknown[]> {
  return tx.query(
    statementOf(writes),
    writes.flatMap(({ values }) => values),
  );
}

/** The last write is the statement, and the others are parts of its WITH. */
function statementOf(writes: readonly Write[]): Statement {
  const [first, ...others] = writes;
  if (!first) throw new Error('nothing is written');
  if (others.length === 0) return first.statement;
  // By the texts: services of one process may have other texts under the same name.
  const key = writes.map(({ statement }) => statement.text).join(';');
  const known = combined.get(key);
  if (known) return known;
  let count = 0;
  const texts = writes.map(({ statement: { text }, values }) => {
    const before = count;
    count += values.length;
    return text.replaceAll(PARAMETER, (_, number: string) => `$${Number(number) + before}`);
  });
  const parts = texts.slice(0, -1).map((text, index) => `write_${index + 1} AS (${text})`);
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 8);
  // PostgreSQL cuts names after 63 characters, so not all are in it.
  const statement = sql(
    `${first.statement.name}.with_${digest}`,
    `WITH ${parts.join(', ')} ${texts.at(-1) ?? ''}`,
  );
  combined.set(key, statement);
  return statement;
}
