import {
  addDuration,
  ApiError,
  residencyFaults,
  istDate,
  istTimestamp,
  ValidationFailed,
  type ChangeInvestorProfileDto,
  type CreateInvestorProfileDto,
  type InvestorProfileDto,
} from '@fundrail/contracts';
import type { InvestorProfileRow } from './investor-profile.table.ts';

/** A row without the columns that the database generates. */
type NewInvestorProfile = Omit<InvestorProfileRow, 'old_id' | 'erasure' | 'changed_at'>;

// Older than any living person, so the year must be a mistake.
const EARLIEST_BIRTH = '1900-01-01';
// Majority Act 1875, section 3. For a younger person a guardian acts, whom no field here has (COMP-15).
const FULL_AGE = 'P18Y';

/** The new investor. Throws `ValidationFailed` when the date of birth is not possible, or that of a minor (INV-21). */
export function newInvestorProfile(
  input: CreateInvestorProfileDto,
  given: { id: string; tenant: string; now: Date },
): NewInvestorProfile {
  if (input.date_of_birth < EARLIEST_BIRTH || input.date_of_birth >= istDate(given.now))
    throw new ValidationFailed([
      { field: 'date_of_birth', message: `must be from ${EARLIEST_BIRTH} to yesterday` },
    ]);
  if (input.date_of_birth > istDate(addDuration(given.now, `-${FULL_AGE}`)))
    throw new ValidationFailed([
      {
        field: 'date_of_birth',
        message: 'must be of a person of 18 or more: a minor acts by a guardian, and none is recorded here',
      },
    ]);
  return {
    id: given.id,
    tenant: given.tenant,
    name: input.name,
    pan: input.pan,
    date_of_birth: input.date_of_birth,
    email: input.email ?? null,
    mobile_isd_code: input.mobile?.isd_code ?? null,
    mobile_number: input.mobile?.number ?? null,
    tax_status: input.tax_status,
    created_at: given.now,
  };
}

/**
 * The investor with changed contacts. Absent fields keep their values, and null clears a field. Throws `ValidationFailed` when the change
 * states a tax residency that the investor cannot have (COMP-15).
 */
export function changedInvestorProfile(
  row: InvestorProfileRow,
  changes: ChangeInvestorProfileDto,
): InvestorProfileRow {
  const faults = residencyFaults(row.tax_status, changes);
  if (faults.length > 0) throw new ValidationFailed(faults);
  return {
    ...row,
    email: changes.email === undefined ? row.email : changes.email,
    mobile_isd_code: changes.mobile === undefined ? row.mobile_isd_code : (changes.mobile?.isd_code ?? null),
    mobile_number: changes.mobile === undefined ? row.mobile_number : (changes.mobile?.number ?? null),
  };
}

/** The same investor. Throws `ApiError` ILLEGAL_TRANSITION when it is being erased, or is. */
export function served(row: InvestorProfileRow): InvestorProfileRow {
  if (row.erasure === null) return row;
  throw new ApiError('ILLEGAL_TRANSITION', `The investor cannot change: its erasure is ${row.erasure}.`);
}

export function toInvestorProfile(row: InvestorProfileRow): InvestorProfileDto {
  const { mobile_isd_code: isdCode, mobile_number: number } = row;
  return {
    object: 'investor_profile',
    id: row.id,
    old_id: row.old_id,
    name: row.name,
    pan: row.pan,
    date_of_birth: row.date_of_birth,
    email: row.email,
    mobile: isdCode === null || number === null ? null : { isd_code: isdCode, number },
    tax_status: row.tax_status,
    created_at: istTimestamp(row.created_at),
    ...(row.erasure === 'done' && { erased: true }),
  };
}
