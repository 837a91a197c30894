import { createHash } from 'node:crypto';
import { sql, type Queryable, type Statement, type Tx } from './database.port.ts';
import { assignments, parameters } from './parameters.ts';
import type { Columns, RowOf, Table } from './table.ts';

/**
 * What a column must be: this value (null too), one of several, another value, a greater or smaller one, or between two, ends
 * included.
 */
type Condition<Value> =
  | Value
  | readonly Value[]
  | { readonly not: Value }
  | { readonly after: Value }
  | { readonly before: Value }
  | { readonly from: Value; readonly to: Value };

type Read<Declared extends Columns> = RowOf<{ readonly columns: Declared }>;

/** The conditions that a row meets, all of them. */
type Where<Declared extends Columns> = {
  readonly [Name in keyof Declared]?: Condition<Read<Declared>[Name]>;
};

/** A part of the rows. */
interface Page {
  readonly limit: number;
  readonly offset?: number;
}

/** A row as the code creates and saves it: without the columns that the database fills. */
type Written<Declared extends Columns> = Pick<
  Read<Declared>,
  Table<Declared>['inserted'][number] | Table<Declared>['stepped'][number]
>;

/**
 * The rows of one table: the only statements that most tables need. Each call is one prepared statement. An order `by` is SQL, in which
 * the table is `t`.
 */
export class Rows<Declared extends Columns, Row = Read<Declared>> {
  /** Only a type: a row that the code creates. */
  declare readonly row: Written<Declared>;
  readonly #statements = new Map<string, Statement>();
  readonly #key: string;
  readonly #select: string;
  readonly #insert: Statement;
  readonly #create: Statement;
  readonly #insertOnce: Statement;
  readonly #save: Statement;

  /** `select` reads the table as `t`, perhaps with columns of other tables. */
  constructor(
    readonly table: Table<Declared>,
    // By name: a prepared `SELECT *` fails once on each connection after a column was added.
    select = `SELECT ${table.names.map((column) => `t.${column}`).join(', ')} FROM ${table.name} t`,
  ) {
    const { name, names, columns, inserted, stepped } = table;
    this.#select = select;
    this.#key = names.find((column) => columns[column]?.isPrimary) ?? '';
    const insert = `INSERT INTO ${name} (${inserted.join(', ')}) VALUES (${parameters(inserted)})`;
    this.#insert = sql(`${name}.insert`, insert);
    this.#create = sql(`${name}.create`, `${insert} RETURNING ${names.join(', ')}`);
    this.#insertOnce = sql(
      `${name}.insert_once`,
      `${insert} ON CONFLICT DO NOTHING RETURNING true AS stored`,
    );
    const assigned = assignments(stepped, 2);
    // Another name than that of `saveRow`, whose statement names the tenant too.
    this.#save = sql(`${name}.save_by_key`, `UPDATE ${name} SET ${assigned} WHERE ${this.#key} = $1`);
  }

  /** The same table, whose rows are read with what other tables say about them. */
  reading<Added>(select: string): Rows<Declared, Row & Added> {
    return new Rows(this.table, select);
  }

  /** Rejects when a row with the same key, or another unique value, exists. */
  async insert(db: Queryable, row: Written<Declared>): Promise<void> {
    await db.query(this.#insert, this.#parameters(row, this.table.inserted));
  }

  /** The same, and returns the row with the columns that the database fills. */
  async create(db: Queryable, row: Written<Declared>): Promise<Read<Declared>> {
    const values = this.#parameters(row, this.table.inserted);
    const [created] = await db.query<Read<Declared>>(this.#create, values);
    if (!created) throw new Error(`${this.#create.name} returned no row`);
    return created;
  }

  /** Returns whether the row was new; otherwise nothing is stored. Waits for a transaction that inserts the same row. */
  async insertOnce(db: Queryable, row: Written<Declared>): Promise<boolean> {
    return (await db.query(this.#insertOnce, this.#parameters(row, this.table.inserted))).length === 1;
  }

  /** The only such row, or the first in the order `by`; null when there is none. */
  async find(db: Queryable, where: Where<Declared>, by?: string): Promise<Row | null> {
    return (await this.#read(db, where, `${by ? `ORDER BY ${by} ` : ''}LIMIT 1`))[0] ?? null;
  }

  list(db: Queryable, where: Where<Declared>, by: string, page?: Page): Promise<Row[]> {
    if (!page) return this.#read(db, where, `ORDER BY ${by}`);
    return this.#read(db, where, `ORDER BY ${by} LIMIT $1 OFFSET $2`, [page.limit, page.offset ?? 0]);
  }

  /** Locks the only such row until the transaction ends. */
  async lock(tx: Tx, where: Where<Declared>): Promise<Row | null> {
    return (await this.#read(tx, where, 'FOR UPDATE OF t'))[0] ?? null;
  }

  /** Locks such rows in the order of their keys, so that two transactions with the same rows cannot deadlock. */
  lockAll(tx: Tx, where: Where<Declared>): Promise<Row[]> {
    return this.#read(tx, where, `ORDER BY t.${this.#key} FOR UPDATE OF t`);
  }

  /** Stores the columns that steps write. This transaction holds the row's lock. */
  async save(tx: Tx, row: Written<Declared>): Promise<void> {
    await tx.query(this.#save, this.#parameters(row, [this.#key, ...this.table.stepped]));
  }

  /** Changes these columns of all such rows. */
  async update(db: Queryable, where: Where<Declared>, changes: Partial<Read<Declared>>): Promise<void> {
    const columns = Object.keys(changes);
    const conditions = conditionsOf('', where, this.#parameters(changes, columns));
    const text = `UPDATE ${this.table.name} SET ${assignments(columns, 1)} WHERE ${conditions.text}`;
    await db.query(this.#statement('update', text), conditions.values);
  }

  #read(db: Queryable, where: object, rest: string, values: readonly unknown[] = []): Promise<Row[]> {
    const conditions = conditionsOf('t.', where, values);
    const statement = this.#statement('read', `${this.#select} WHERE ${conditions.text} ${rest}`);
    return db.query<Row>(statement, conditions.values);
  }

  /** The values of these columns. JSON is given as text: the driver would make a PostgreSQL array of a list. */
  #parameters(row: Readonly<Record<string, unknown>>, columns: readonly string[]): unknown[] {
    return columns.map((column) => {
      const value = row[column];
      return this.table.columns[column]?.type === 'jsonb' ? JSON.stringify(value) : value;
    });
  }

  /**
   * One name for each text, because a connection prepares a statement by its name. It follows from the text, so that it means the same
   * query in every process and its metrics.
   */
  #statement(verb: string, text: string): Statement {
    const known = this.#statements.get(text);
    if (known) return known;
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
    const statement = sql(`${this.table.name}.${verb}_${digest}`, text);
    this.#statements.set(text, statement);
    return statement;
  }
}

/** The conditions as SQL, and all values: those given, then those of the conditions. */
function conditionsOf(prefix: string, where: object, given: readonly unknown[]) {
  const values = [...given];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const texts = Object.entries(where).map(
    ([name, asked]: [string, unknown]) => `${prefix}${name} ${conditionOf(asked, parameter)}`,
  );
  return { text: texts.length > 0 ? texts.join(' AND ') : 'true', values };
}

function conditionOf(asked: unknown, parameter: (value: unknown) => string): string {
  if (asked === null) return 'IS NULL';
  if (Array.isArray(asked)) return `= ANY(${parameter(asked)})`;
  if (typeof asked === 'object') {
    if ('not' in asked) return asked.not === null ? 'IS NOT NULL' : `<> ${parameter(asked.not)}`;
    if ('after' in asked) return `> ${parameter(asked.after)}`;
    if ('before' in asked) return `< ${parameter(asked.before)}`;
    if ('from' in asked && 'to' in asked)
      return `BETWEEN ${parameter(asked.from)} AND ${parameter(asked.to)}`;
  }
  return `= ${parameter(asked)}`;
}
