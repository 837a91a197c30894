import pg from 'pg';

/** The fields of a plan's step that are read here. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What the last statement did with one table: how many rows it read, and by which indexes (`null`: without one). */
interface Looked {
  readonly rows: number;
  readonly by: readonly (string | null)[];
}

/**
 * Runs statements by EXPLAIN ANALYZE and returns no rows. As on a service's connection, each statement is planned once, at its
 * first run and without its values, and keeps that plan. So a plan made on an empty table can be measured on a full one.
 */
export class Explaining {
  #plan: PlanNode | null = null;
  readonly #prepared = new Map<string, string>();

  /** `client` is connected, with the options of the service's connections. */
  constructor(private readonly client: pg.Client) {}

  async query<Row>(
    { name, text }: { name: string; text: string },
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const parameters = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const { rows } = await this.client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${await this.#prepare(name, text)}${parameters}`,
    );
    this.#plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? null;
    return [];
  }

  looked(table: string): Looked {
    const nodes = this.#plan ? nodesOf(this.#plan).filter((node) => node['Relation Name'] === table) : [];
    const rows = nodes.map(
      (node) =>
        (node['Actual Rows'] +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)) *
        node['Actual Loops'],
    );
    const by = new Set(nodes.map((node) => node['Index Name'] ?? null));
    return { rows: Math.round(rows.reduce((sum, some) => sum + some, 0)), by: [...by].sort() };
  }

  async #prepare(name: string, text: string): Promise<string> {
    const known = this.#prepared.get(name);
    if (known) return known;
    const fresh = `explained_${this.#prepared.size}`;
    await this.client.query(`PREPARE ${fresh} AS ${text}`);
    this.#prepared.set(name, fresh);
    return fresh;
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function element(value: unknown): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(`${value}`);
  throw new Error('only dates, texts and numbers can be written into an array of EXPLAIN');
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join(',')}}`);
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'string' || typeof value === 'number') return pg.escapeLiteral(`${value}`);
  throw new Error('only dates, texts, numbers and booleans can be written into EXPLAIN');
}
