import type { AuthorisationFact, AuthorisationResult, BeginAuthorisation } from '@fundrail/contracts';
import { amended, apply, IllegalTransition, mandateMachine, transition } from '@fundrail/state-machines';
import type { Decision } from '@fundrail/state-machines';
import { expiryOf, may, reject, toFacts, type Mandate, type ProviderNames } from '../mandate/mandate.ts';

type Refusal = Extract<AuthorisationResult, { outcome: 'refused' }>;

/**
 * May this payment authorise the mandate now? One at a time, and only while it is CREATED (contract §4). The same payment
 * asking again for what it holds gets the same answer; a holder that payments knows to be dead gives way. The row is locked.
 */
export function decideAuthorisation(
  row: Mandate | null,
  { payment_id, replaces }: BeginAuthorisation,
  now: Date,
): AuthorisationResult {
  if (!row) return badMandate('is not a mandate of this tenant');
  const holder = row.authorising_payment;
  if (holder === payment_id) return { outcome: 'begun', mandate: toFacts(row) };
  if (holder !== null && !replaces.includes(holder))
    return refuse('AUTH_IN_PROGRESS', `payment ${holder} authorises mandate ${row.id} just now`, holder);
  if (row.mandate_status === 'RECEIVED' || row.mandate_status === 'SUBMITTED')
    return refuse('AUTH_IN_PROGRESS', `the authorisation of mandate ${row.id} is at the bank`, null);
  const illegal = row.mandate_status === 'CREATED' ? null : illegalApproval(row);
  if (illegal) return refuse('ILLEGAL_TRANSITION', illegal, null);
  if (now >= expiryOf(row)) return badMandate(`was valid until ${row.valid_to}`);
  return { outcome: 'begun', mandate: toFacts(row) };
}

/** What the machine says of approving a mandate in that state, its refusal names both states, and what to do instead. */
function illegalApproval(row: Mandate): string | null {
  try {
    apply(mandateMachine, row.mandate_status, 'approve');
    return null;
  } catch (error) {
    if (error instanceof IllegalTransition) return `${error.message}; ${insteadOfApproving(row)}`;
    throw error;
  }
}

function insteadOfApproving({ mandate_status }: Mandate): string {
  switch (mandate_status) {
    case 'APPROVED':
      return 'it is authorised: debit it (POST /api/pg/payments/nach)';
    case 'PAUSED':
      return 'it is authorised, and only the investor can resume it, in the UPI app or at the bank';
    default:
      return 'create another mandate (POST /api/pg/mandates) and authorise that one';
  }
}

function badMandate(message: string): Refusal {
  const errors = [{ field: 'mandate_id', message }];
  return {
    outcome: 'refused',
    code: 'BAD_REQUEST_ERROR',
    message: 'Validation failed. 1 error(s)',
    errors,
    held_by: null,
  };
}

function refuse(code: Refusal['code'], message: string, held_by: number | null): Refusal {
  return { outcome: 'refused', code, message, errors: [], held_by };
}

/** What an authorisation's fact comes to. */
export type AuthorisationFinding =
  | { readonly step: Decision<Mandate> }
  /** The provider has a second mandate for ours: it is to be revoked there (contract §4). */
  | { readonly surplus: ProviderNames & { readonly mandate_token: string } }
  | { readonly contradiction: string }
  | null;

/** Applies what the provider told of an authorisation. What is known already changes nothing. */
export function applyAuthorisationFact(
  row: Mandate,
  fact: AuthorisationFact,
  now: Date,
): AuthorisationFinding {
  switch (fact.status) {
    case 'received':
      return may(row, 'receive')
        ? { step: transition(mandateMachine, row, 'receive', { ...namesOf(row, fact), received_at: now }) }
        : learnNames(row, fact);
    case 'submitted':
      return may(row, 'submit')
        ? { step: transition(mandateMachine, row, 'submit', { ...namesOf(row, fact), submitted_at: now }) }
        : learnNames(row, fact);
    case 'approved':
      return approved(row, fact, now);
    case 'rejected':
      return rejected(row, fact, now);
  }
}

/** A success approves the mandate whenever it may still be approved, however late it comes. */
function approved(row: Mandate, fact: AuthorisationFact, now: Date): AuthorisationFinding {
  const { mandate_token, umrn, provider_id } = fact;
  if (mandate_token === null) return { contradiction: 'approved_without_token' };
  if (may(row, 'approve'))
    return {
      step: transition(mandateMachine, row, 'approve', {
        ...namesOf(row, fact),
        mandate_token,
        approved_at: now,
      }),
    };
  return mandate_token === row.mandate_token ? null : { surplus: { mandate_token, umrn, provider_id } };
}

/** The bank refuses the mandate itself. What an attempt told that another one has taken the place of is not its end. */
function rejected(row: Mandate, fact: AuthorisationFact, now: Date): AuthorisationFinding {
  if (!may(row, 'reject'))
    return row.mandate_status === 'REJECTED' ? null : { contradiction: 'rejected_after_approval' };
  const holder = row.authorising_payment;
  if (holder !== null && holder !== fact.payment_id) return null;
  return { step: reject(row, fact.rejected_reason, now) };
}

/** The bank has a mandate that waits there by a name that was not known yet: no step, and nothing to tell. */
function learnNames(row: Mandate, fact: AuthorisationFact): AuthorisationFinding {
  if (row.mandate_status !== 'RECEIVED' && row.mandate_status !== 'SUBMITTED') return null;
  const names = namesOf(row, fact);
  const isKnown =
    names.mandate_token === row.mandate_token &&
    names.umrn === row.umrn &&
    names.provider_id === row.provider_id;
  return isKnown ? null : { step: amended(mandateMachine, row, 'learn_names', names, []) };
}

function namesOf(row: Mandate, fact: AuthorisationFact): ProviderNames {
  return {
    mandate_token: fact.mandate_token ?? row.mandate_token,
    umrn: fact.umrn ?? row.umrn,
    provider_id: fact.provider_id ?? row.provider_id,
  };
}
