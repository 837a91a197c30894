import {
  addDays,
  istTimestamp,
  type ErasureDto,
  type KeptData,
  type PersonStanding,
} from '@fundrail/contracts';
import {
  chosen,
  nearestParameters,
  parametersFor,
  POLICIES,
  retentionEnds,
  type Choice,
} from '@fundrail/policies';
import type { ErasureRow } from './erasure.table.ts';

/** What every service knows of a person, in one: the latest times, and whether anything is going on. */
interface WholeStanding {
  readonly isLive: boolean;
  readonly processedAt: Date;
  readonly orderedAt: Date | null;
}

/** `own` is when identity last processed the person's data. */
export function wholeStanding(parts: readonly PersonStanding[], own: Date): WholeStanding {
  const latest = (times: readonly (string | null)[]) =>
    times.reduce<Date | null>((last, text) => (text === null ? last : later(last, new Date(text))), null);
  return {
    isLive: parts.some(({ live }) => live),
    processedAt: later(latest(parts.map(({ last_processed_at }) => last_processed_at)), own),
    orderedAt: latest(parts.map(({ last_ordered_at }) => last_ordered_at)),
  };
}

function later(last: Date | null, at: Date): Date {
  return last && last > at ? last : at;
}

/** What stays of an erased person. */
export const BOOKS: KeptData = {
  what: 'ids, references, folios, dates, units and amounts',
  until: null,
  why: 'They are the books of what was agreed, under the ids of the profile, and say nothing else about the person.',
};

/**
 * The first day on which nothing keeps the data, and what keeps it until then (INV-17). What is going on counts as processed now. Before
 * the policy's first version its parameters hold already.
 */
export function retentionOf(
  { isLive, processedAt, orderedAt }: WholeStanding,
  choice: Choice | null,
  now: Date,
): Pick<ErasureRow, 'due_on' | 'kept'> {
  const name = 'personal_data_retention';
  const figures =
    parametersFor(name, now, choice) ?? chosen(POLICIES[name], nearestParameters(name, now), choice);
  const { personal, records } = retentionEnds(figures, {
    processedAt: isLive ? now : processedAt,
    orderedAt,
  });
  const kept: KeptData[] = [
    {
      what: 'all data of the person',
      until: addDays(personal, -1),
      why: `It was last processed less than ${figures.personal_data_days} days before (${name}).`,
    },
  ];
  if (records !== null)
    kept.push({
      what: 'records of orders: the investor, the consent, the bank account',
      until: addDays(records, -1),
      why: `Records are kept ${figures.record_years} years from the last order (${name}).`,
    });
  if (isLive)
    kept.push({
      what: 'orders, payments, mandates or plans that have not ended',
      until: null,
      why: 'The data is needed for them. Each day on which one goes on moves `due_on`.',
    });
  return { due_on: records !== null && records > personal ? records : personal, kept: [...kept, BOOKS] };
}

export function toErasure({ tenant: _, profile, created_at, done_at, ...row }: ErasureRow): ErasureDto {
  return {
    object: 'erasure',
    ...row,
    investor_profile: profile,
    kept: [...row.kept],
    erased: [...row.erased],
    created_at: istTimestamp(created_at),
    done_at: istTimestamp(done_at),
  };
}
