import type { Queryable, Statement, Tx } from '@fundrail/persistence';
import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import pg from 'pg';
import {
  earliestInstallment,
  findFirstMoment,
  generateInstallments,
} from '../../apps/plans/src/installment/installment.repository.ts';
import { generation } from '../../apps/plans/src/installment/generation-sql.ts';
import { median } from '../lib/median.ts';

/** The statement of a batch, for the plans with the ids `$2` in place of those that are due. `$1`: the time, `$3`: the trace or null. */
export const GENERATE_THESE = generation('plan_courses WHERE plan_id = ANY ($2::text[]) FOR UPDATE');

const LOOKS = 500;
const BATCH = 2_000;

/** Statements of the service plans on a connection with the settings of its pool. */
class PlansConnection implements Queryable {
  private readonly client: pg.Client;
  private readonly prefix: string;

  constructor(database: string, prefix = '') {
    this.prefix = prefix;
    this.client = new pg.Client({ connectionString: database, options: PLAN_BY_INDEX });
  }

  connect(): Promise<unknown> {
    return this.client.connect();
  }

  async query<Row>({ name, text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.client.query({
      name: this.prefix + name,
      text: this.prefix + text,
      values: [...values],
    });
    return rows as Row[];
  }

  run(text: string): Promise<unknown> {
    return this.client.query(text);
  }

  end(): Promise<void> {
    return this.client.end();
  }
}

/** Median milliseconds of the query that a scheduler uses to check whether anything is due, measured by its client. */
export async function idleQueryMs(database: string): Promise<number> {
  const connection = new PlansConnection(database);
  await connection.connect();
  const times: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const began = performance.now();
    await findFirstMoment(connection, new Date(), BATCH);
    times.push(performance.now() - began);
  }
  await connection.end();
  return Math.round(median(times) * 1000) / 1000;
}

/** The same question, asked again and again. */
export async function isAnyDue(database: string): Promise<{ ask(): Promise<boolean>; end(): Promise<void> }> {
  const connection = new PlansConnection(database);
  await connection.connect();
  return {
    ask: async () => (await earliestInstallment(connection, new Date())) !== null,
    end: () => connection.end(),
  };
}

/** How PostgreSQL generates a batch: plans that are made due once more, in a database that is not needed any more. */
export async function planOfGeneration(database: string): Promise<string> {
  const connection = new PlansConnection(database, 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ');
  await connection.connect();
  const due = '2026-11-05T00:05+05:30';
  await connection.run(`UPDATE plan_courses SET generate_at = '${due}'`);
  await connection.run('BEGIN');
  const rows: Record<string, string>[] = [];
  const tx: Tx = {
    now: new Date(),
    signal: () => undefined,
    query: async <Row>(statement: Statement, values?: readonly unknown[]) => {
      const answered = await connection.query<Row>(statement, values);
      rows.push(...(answered as Record<string, string>[]));
      return answered;
    },
  };
  // As where one tenant's plans are due.
  await generateInstallments(tx, BATCH, { due_at: new Date(due), tenants: [] });
  await connection.run('ROLLBACK');
  await connection.end();
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
