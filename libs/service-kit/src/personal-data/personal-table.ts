/**
 * A table with rows about investors. In its SQL a row is `t`, and the person `$1` (tenant), `$2` (profile), `$3` (investment accounts,
 * text[]), `$4` (bank accounts by `old_id`, bigint[]) and `$5` (subjects of the person's events, text[]).
 */
export interface PersonalTable {
  readonly table: string;
  /** The condition of a person's rows. */
  readonly of: string;
  /** The value that overwrites each personal column; or the rows are removed, and no export has them, because they repeat others. */
  readonly erased: Readonly<Record<string, string>> | 'removed';
  /** The condition of rows with which something is still going on: nothing of the person is erased meanwhile. */
  readonly live?: string;
  /** When a row was last processed, in business time. */
  readonly processed?: string;
  /** When a row was ordered, if records of it must be kept. */
  readonly ordered?: string;
  /** The subject of a row's events, `kind:id`. */
  readonly subject?: string;
  /** Columns that no export shows, because they are another's secret. */
  readonly secret?: readonly string[];
}

const IN_SUBJECTS = (topic: string) =>
  `t.aggregate_id = ANY (SELECT split_part(one, ':', 2) FROM unnest($5::text[]) AS one) AND ${topic} || ':' || t.aggregate_id = ANY ($5)`;

/** The kit's own tables, in each service's database: events on their way. */
export const KIT_PERSONAL_TABLES: readonly PersonalTable[] = [
  {
    table: 'outbox',
    of: `t.tenant = $1 AND ${IN_SUBJECTS(`split_part(t.type, '.', 1)`)}`,
    erased: 'removed',
    live: 't.published_at IS NULL',
  },
  { table: 'parked_events', of: IN_SUBJECTS('t.topic'), erased: 'removed' },
];
