import type { Decimal } from '@fundrail/contracts';

/** The types of columns, as PostgreSQL prints them. */
type SqlType =
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'datemultirange'
  | 'integer'
  | 'jsonb'
  | 'numeric'
  | 'text'
  | 'text[]'
  | 'timestamptz';

/**
 * Who writes a column.
 * - `creation`: the INSERT, and nothing after it.
 * - `steps`: the INSERT, and each later change: a step of the machine, or an update where there is none.
 * - `later steps`: steps only. The INSERT leaves it null, or at its default in the database.
 * - `aside`: neither. It has statements of its own, so that no step can overwrite it.
 */
export type WrittenBy = 'creation' | 'steps' | 'later steps' | 'aside';

/** One column of a table: its SQL type, the type of its values in a row, and who writes it. */
export class Column<Value, By extends WrittenBy = WrittenBy> {
  /** Only a type: the values that a row has here. */
  declare readonly value: Value;
  readonly type: SqlType;
  readonly isNullable: boolean;
  readonly isPrimary: boolean;
  readonly writtenBy: By;

  constructor({ type, isNullable = false, isPrimary = false, writtenBy }: ColumnParts<By>) {
    this.type = type;
    this.isNullable = isNullable;
    this.isPrimary = isPrimary;
    this.writtenBy = writtenBy;
  }

  /** A column of the primary key. */
  primary(): Column<Value, By> {
    return new Column({ ...this, isPrimary: true });
  }

  nullable(): Column<Value | null, By> {
    return new Column({ ...this, isNullable: true });
  }

  /** Written by the INSERT and by each later change. */
  bySteps(): Column<Value, 'steps'> {
    return new Column({ ...this, writtenBy: 'steps' });
  }

  /** Written by later changes only: null, or the default of the database, until then. */
  byLaterSteps(): Column<Value, 'later steps'> {
    return new Column({ ...this, writtenBy: 'later steps' });
  }

  /** Written by statements of its own, which name it. */
  aside(): Column<Value, 'aside'> {
    return new Column({ ...this, writtenBy: 'aside' });
  }
}

interface ColumnParts<By> {
  readonly type: SqlType;
  readonly isNullable?: boolean;
  readonly isPrimary?: boolean;
  readonly writtenBy: By;
}

/** A column as it is first declared: written by the creation. */
type New<Value> = Column<Value, 'creation'>;

/** An exact integer. Reading one beyond 2^53 rejects, so that none is rounded. */
export function bigint(): New<number> {
  return new Column({ type: 'bigint', writtenBy: 'creation' });
}

export function boolean(): New<boolean> {
  return new Column({ type: 'boolean', writtenBy: 'creation' });
}

/** A day, `YYYY-MM-DD`. */
export function date(): New<string> {
  return new Column({ type: 'date', writtenBy: 'creation' });
}

/** Ranges of days, as PostgreSQL prints them: `{[2026-01-01,2026-01-05)}`. */
export function datemultirange(): New<string> {
  return new Column({ type: 'datemultirange', writtenBy: 'creation' });
}

export function integer(): New<number> {
  return new Column({ type: 'integer', writtenBy: 'creation' });
}

/** A value as JSON. A list must be given to a statement as text: the driver would make a PostgreSQL array of it. */
export function jsonb<Value>(): New<Value> {
  return new Column({ type: 'jsonb', writtenBy: 'creation' });
}

export function numeric(): New<Decimal> {
  return new Column({ type: 'numeric', writtenBy: 'creation' });
}

/** A text, or one of the texts that the type names. */
export function text<Value extends string = string>(): New<Value> {
  return new Column({ type: 'text', writtenBy: 'creation' });
}

/** A list of texts. */
export function textArray(): New<string[]> {
  return new Column({ type: 'text[]', writtenBy: 'creation' });
}

/** An instant. */
export function timestamptz(): New<Date> {
  return new Column({ type: 'timestamptz', writtenBy: 'creation' });
}
