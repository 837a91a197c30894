import type { Queryable } from '@fundrail/persistence';
import type pg from 'pg';

/** Runs statements on the test's own connection, which may have an open transaction. */
export function queryableOf(client: pg.Client): Queryable {
  return {
    query: async <Row>({ text }: { text: string }, values: readonly unknown[] = []) =>
      (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows,
  };
}
