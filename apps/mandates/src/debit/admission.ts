import { inRupees, type AdmitDebit, type DebitResult } from '@fundrail/contracts';
import { isValidOn, toFacts, type Mandate } from '../mandate/mandate.ts';
import { isLive } from './debit.ts';
import type { Debit } from './debit.table.ts';

type Refusal = Extract<DebitResult, { outcome: 'refused' }>;

/** What an admission depends on. All of it is read under the mandate's row lock. */
interface Situation {
  readonly mandate: Mandate | null;
  /** The debit of this payment, if it was requested before. */
  readonly own: Debit | null;
  /** The other payment whose live or successful debit of the same order the mandate has. */
  readonly holder: number | null;
  /** The expected day of the debit, IST. */
  readonly debit_date: string;
}

/**
 * Whether the payment may debit the mandate. The mandate must belong to the investor, be APPROVED and valid on that day, and its
 * limit must suffice (DEB-2). The debit must be the only one of its order. An admitted debit stays admitted, so a retry gets the
 * same answer. A debit of a payment that payments knows to be dead is replaced, even if it succeeded: then the payment is REJECTED
 * and its money went back. Nothing is decided while the mandate is in doubt.
 */
export function decideAdmission(
  { mandate, own, holder, debit_date }: Situation,
  asked: AdmitDebit,
): DebitResult {
  if (!mandate) return badMandate('is not a mandate of this tenant');
  const admitted = { outcome: 'admitted', mandate: toFacts(mandate), debit_date } as const;
  if (own && own.state !== 'released')
    return refuseRepeated(own, asked) ?? { ...admitted, debit_date: own.debit_date };
  if (mandate.investor_profile !== asked.investor_profile) return badMandate("must be the investor's");
  if (mandate.mandate_status !== 'APPROVED')
    return refuse('MANDATE_NOT_APPROVED', `mandate ${mandate.id} is ${mandate.mandate_status}`);
  if (!isValidOn(mandate, debit_date))
    return refuse(
      'MANDATE_NOT_APPROVED',
      `mandate ${mandate.id} is valid from ${mandate.valid_from} to ${mandate.valid_to}, not on ${debit_date}`,
    );
  if (asked.amount.compare(mandate.mandate_limit) > 0)
    return refuse(
      'MANDATE_LIMIT_EXCEEDED',
      `${inRupees(asked.amount)} is above the mandate's limit of ${inRupees(mandate.mandate_limit)}`,
    );
  if (holder !== null && !asked.replaces.includes(holder)) return heldBy(holder);
  return mandate.doubted_at === null ? admitted : { outcome: 'later' };
}

/** The payment's debit has ended, or was for something else. It cannot be started again under the same id. */
function refuseRepeated(own: Debit, asked: AdmitDebit): Refusal | null {
  const isSame = own.mandate_id === asked.mandate_id && own.old_id === asked.old_id;
  return isLive(own) && isSame ? null : heldBy(own.payment_id);
}

function heldBy(payment: number): Refusal {
  const message = `payment ${payment} already debits the mandate for this order`;
  return { ...refuse('PAYMENT_ALREADY_EXISTS', message), held_by: payment };
}

function badMandate(message: string): Refusal {
  return {
    ...refuse('BAD_REQUEST_ERROR', 'Validation failed. 1 error(s)'),
    errors: [{ field: 'mandate_id', message }],
  };
}

function refuse(code: Refusal['code'], message: string): Refusal {
  return { outcome: 'refused', code, message, errors: [], held_by: null };
}
