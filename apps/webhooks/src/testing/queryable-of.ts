import type { Queryable } from '@fundrail/service-kit/db';
import type pg from 'pg';

/** Statements on a connection of the test's own, which may have a transaction open. */
export function queryableOf(client: pg.Client): Queryable {
  return {
    query: async <Row>({ text }: { text: string }, values: readonly unknown[] = []) =>
      (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows,
  };
}
