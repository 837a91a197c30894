import type { AdmitDebit, DebitResult, PermitResult, TakePermit } from '@fundrail/contracts';
import { inRupees, istDate } from '@fundrail/contracts';
import type { Decimal } from '@fundrail/contracts';
import { isValidOn, toFacts, type Mandate } from '../mandate/mandate.ts';

/** `released`: its payment was never created. `failed`: its payment ended without money, or the money went back. */
export type DebitState = 'admitted' | 'succeeded' | 'failed' | 'released';

/** A row of `mandate_debits`: a payment that may debit the mandate. Amount in rupees, `debit_date` is IST. */
export interface Debit {
  readonly payment_id: number;
  readonly mandate_id: number;
  readonly tenant: string;
  /** The order's. */
  readonly old_id: number;
  readonly amount: Decimal;
  readonly debit_date: string;
  readonly state: DebitState;
}

type Refusal = Extract<DebitResult, { outcome: 'refused' }>;

/** What an admission depends on. All of it is read under the mandate's row lock. */
interface DebitSituation {
  readonly mandate: Mandate | null;
  /** The debit of this payment, if it was requested before. */
  readonly own: Debit | null;
  /** The live or successful debit of the same order under the mandate, if it belongs to another payment. */
  readonly other: Debit | null;
}

/**
 * Whether the payment may debit the mandate. The mandate must belong to the investor, be APPROVED and valid on that day, and its
 * limit must suffice (DEB-2). The debit must be the only one of its order. An admitted debit stays admitted, so a retry gets the
 * same answer. A debit of a payment that payments knows to be dead is replaced, even if it succeeded: then the payment is REJECTED
 * and its money went back. Nothing is decided while the mandate is in doubt.
 */
export function decideDebit({ mandate, own, other }: DebitSituation, asked: AdmitDebit): DebitResult {
  if (!mandate) return badMandate('is not a mandate of this tenant');
  const admitted = { outcome: 'admitted', mandate: toFacts(mandate) } as const;
  if (own && own.state !== 'released') return refuseRepeated(own, asked) ?? admitted;
  if (mandate.investor_profile !== asked.investor_profile) return badMandate("must be the investor's");
  if (mandate.mandate_status !== 'APPROVED')
    return refuse('MANDATE_NOT_APPROVED', `mandate ${mandate.id} is ${mandate.mandate_status}`);
  if (!isValidOn(mandate, asked.debit_date))
    return refuse(
      'MANDATE_NOT_APPROVED',
      `mandate ${mandate.id} is valid from ${mandate.valid_from} to ${mandate.valid_to}, not on ${asked.debit_date}`,
    );
  if (asked.amount.compare(mandate.mandate_limit) > 0)
    return refuse(
      'MANDATE_LIMIT_EXCEEDED',
      `${inRupees(asked.amount)} is above the mandate's limit of ${inRupees(mandate.mandate_limit)}`,
    );
  if (other && !asked.replaces.includes(other.payment_id)) return heldBy(other.payment_id);
  return mandate.doubted_at === null ? admitted : { outcome: 'later' };
}

/** The payment's debit has ended, or was for something else. It cannot be started again under the same id. */
function refuseRepeated(own: Debit, asked: AdmitDebit): Refusal | null {
  const isSame = own.mandate_id === asked.mandate_id && own.old_id === asked.old_id;
  return own.state === 'admitted' && isSame ? null : heldBy(own.payment_id);
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

/** What a permit depends on. All of it is read under the mandate's row lock. */
interface PermitSituation {
  readonly mandate: Mandate | null;
  readonly debit: Debit | null;
  /** The same permit was granted before, and the outcome of its call is not recorded yet. */
  readonly isOpen: boolean;
}

/**
 * Whether the provider may be called now. An open `execute` is always permitted again, because it was reported as in flight, unless
 * the provider never received it (`resend`). Every other call needs an admitted debit of an APPROVED mandate that has not expired
 * (DEB-6). For a notice, the mandate must also be valid on the day of the announced debit.
 */
export function decidePermit(
  { mandate, debit, isOpen }: PermitSituation,
  { step, mandate_id, execute_on, resend }: TakePermit,
  now: Date,
): PermitResult {
  const cancelled = { outcome: 'refused', code: 'mandate_cancelled' } as const;
  if (!mandate || debit?.mandate_id !== mandate_id || debit.state !== 'admitted') return cancelled;
  const granted = { outcome: 'granted', mandate: toFacts(mandate) } as const;
  if (isOpen && step === 'execute' && !resend) return granted;
  if (mandate.mandate_status !== 'APPROVED') return cancelled;
  // The notice is sent before the day of the debit, which may be the first day of the validity.
  const today = istDate(now);
  const isInTime = isValidOn(mandate, step === 'execute' ? today : execute_on) && today <= mandate.valid_to;
  if (!isInTime) return cancelled;
  if (debit.amount.compare(mandate.mandate_limit) > 0)
    return { outcome: 'refused', code: 'mandate_limit_exceeded' };
  return mandate.doubted_at === null ? granted : { outcome: 'later' };
}
