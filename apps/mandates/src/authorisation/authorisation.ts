import type { AuthorisationFact, AuthorisationResult, BeginAuthorisation } from '@fundrail/contracts';
import { amended, apply, IllegalTransition, mandateMachine, transition } from '@fundrail/state-machines';
import type { Decision } from '@fundrail/state-machines';
import { expiryOf, may, reject, toFacts, type Mandate, type ProviderNames } from '../mandate/mandate.ts';

type Refusal = Extract<AuthorisationResult, { outcome: 'refused' }>;

/**
 * Whether this payment may authorise the mandate now: one at a time, and only while the mandate is CREATED (MAN-17). A retry by the
 * same payment gets the same answer. A holder that payments knows to be dead is replaced. The row is locked.
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
    return refuse('AUTH_IN_PROGRESS', `payment ${holder} is authorising mandate ${row.id}`, holder);
  if (row.mandate_status === 'RECEIVED' || row.mandate_status === 'SUBMITTED')
    return refuse('AUTH_IN_PROGRESS', `the bank is processing the authorisation of mandate ${row.id}`, null);
  const illegal = row.mandate_status === 'CREATED' ? null : illegalApproval(row);
  if (illegal) return refuse('ILLEGAL_TRANSITION', illegal, null);
  if (now >= expiryOf(row)) return badMandate(`was valid until ${row.valid_to}`);
  return { outcome: 'begun', mandate: toFacts(row) };
}

/**
 * The machine's refusal to approve a mandate in that state, which contains both states, with advice on what to do instead; null if
 * legal.
 */
function illegalApproval(row: Mandate): string | null {
  try {
    apply(mandateMachine, row.mandate_status, 'approve');
    return null;
  } catch (error) {
    if (error instanceof IllegalTransition) return `${error.message}; ${adviceFor(row)}`;
    throw error;
  }
}

function adviceFor({ mandate_status }: Mandate): string {
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

/** The result of an authorisation's fact. */
type AuthorisationFinding =
  | { readonly step: Decision<Mandate> }
  /** The provider has a second mandate for ours: it is to be revoked there (MAN-20). */
  | { readonly surplus: ProviderNames & { readonly mandate_token: string } }
  | { readonly contradiction: string }
  | null;

/** Applies the provider's fact about an authorisation. A known fact changes nothing. */
export function applyAuthorisationFact(
  row: Mandate,
  fact: AuthorisationFact,
  now: Date,
): AuthorisationFinding {
  switch (fact.status) {
    case 'received':
      return may(row, 'receive')
        ? { step: transition(mandateMachine, row, 'receive', { ...namesOf(row, fact), received_at: now }) }
        : addNames(row, fact);
    case 'submitted':
      return may(row, 'submit')
        ? { step: transition(mandateMachine, row, 'submit', { ...namesOf(row, fact), submitted_at: now }) }
        : addNames(row, fact);
    case 'approved':
      return approved(row, fact, now);
    case 'rejected':
      return rejected(row, fact, now);
  }
}

/** A success approves the mandate while it may still be approved, even if the success comes late. */
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

/** The bank refuses the mandate itself. A refusal of an attempt that another one has replaced does not end the mandate. */
function rejected(row: Mandate, fact: AuthorisationFact, now: Date): AuthorisationFinding {
  if (!may(row, 'reject'))
    return row.mandate_status === 'REJECTED' ? null : { contradiction: 'rejected_after_approval' };
  const holder = row.authorising_payment;
  if (holder !== null && holder !== fact.payment_id) return null;
  return { step: reject(row, fact.rejected_reason, now) };
}

/** The bank has given a waiting mandate a name that was not known yet. There is no step and no event. */
function addNames(row: Mandate, fact: AuthorisationFact): AuthorisationFinding {
  if (row.mandate_status !== 'RECEIVED' && row.mandate_status !== 'SUBMITTED') return null;
  const names = namesOf(row, fact);
  const isKnown =
    names.mandate_token === row.mandate_token &&
    names.umrn === row.umrn &&
    names.provider_id === row.provider_id;
  return isKnown ? null : { step: amended(mandateMachine, row, 'learn_names', { changes: names }) };
}

function namesOf(row: Mandate, fact: AuthorisationFact): ProviderNames {
  return {
    mandate_token: fact.mandate_token ?? row.mandate_token,
    umrn: fact.umrn ?? row.umrn,
    provider_id: fact.provider_id ?? row.provider_id,
  };
}
