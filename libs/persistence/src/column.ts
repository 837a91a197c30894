import type { Decimal } from '@fundrail/contracts';

/** The types of columns, as PostgreSQL prints them. */
type SqlType = 'bigint' | 'boolean' | 'date' | 'integer' | 'jsonb' | 'numeric' | 'text' | 'timestamptz';

/**
 * Who writes a column.
 * - `creation`: the INSERT, and nothing after it.
 * - `steps`: the INSERT, and each step of the machine.
 * - `later steps`: steps only. The INSERT leaves it null, or at its default in the database.
 * - `aside`: neither. It has statements of its own, so that no step can overwrite it.
 */
export type WrittenBy = 'creation' | 'steps' | 'later steps' | 'aside';

/** One column of a table: its SQL type, the type of its values in a row, and who writes it. */
export class Column<Value> {
  /** Only a type: the values that a row has here. */
  declare readonly value: Value;
  readonly type: SqlType;
  readonly isNullable: boolean;
  readonly isPrimary: boolean;
  readonly writtenBy: WrittenBy;

  constructor({ type, isNullable = false, isPrimary = false, writtenBy = 'creation' }: ColumnParts) {
    this.type = type;
    this.isNullable = isNullable;
    this.isPrimary = isPrimary;
    this.writtenBy = writtenBy;
  }

  /** A column of the primary key. */
  primary(): Column<Value> {
    return new Column({ ...this, isPrimary: true });
  }

  nullable(): Column<Value | null> {
    return new Column({ ...this, isNullable: true });
  }

  /** Written by the INSERT and by each step of the machine. */
  bySteps(): Column<Value> {
    return new Column({ ...this, writtenBy: 'steps' });
  }

  /** Written by steps only: null, or the default of the database, until then. */
  byLaterSteps(): Column<Value> {
    return new Column({ ...this, writtenBy: 'later steps' });
  }

  /** Written by statements of its own, which name it. */
  aside(): Column<Value> {
    return new Column({ ...this, writtenBy: 'aside' });
  }
}

interface ColumnParts {
  readonly type: SqlType;
  readonly isNullable?: boolean;
  readonly isPrimary?: boolean;
  readonly writtenBy?: WrittenBy;
}

/** An exact integer. Reading one beyond 2^53 rejects, so that none is rounded. */
export function bigint(): Column<number> {
  return new Column({ type: 'bigint' });
}

export function boolean(): Column<boolean> {
  return new Column({ type: 'boolean' });
}

/** A day, `YYYY-MM-DD`. */
export function date(): Column<string> {
  return new Column({ type: 'date' });
}

export function integer(): Column<number> {
  return new Column({ type: 'integer' });
}

export function jsonb<Value>(): Column<Value> {
  return new Column({ type: 'jsonb' });
}

export function numeric(): Column<Decimal> {
  return new Column({ type: 'numeric' });
}

/** A text, or one of the texts that the type names. */
export function text<Value extends string = string>(): Column<Value> {
  return new Column({ type: 'text' });
}

/** An instant. */
export function timestamptz(): Column<Date> {
  return new Column({ type: 'timestamptz' });
}
