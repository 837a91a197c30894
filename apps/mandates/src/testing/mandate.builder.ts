import { Decimal, type AdmitDebit } from '@fundrail/contracts';
import type { AttemptRow, Debit } from '../debit/debit.table.ts';
import { createMandate, type Mandate, type NewMandate } from '../mandate/mandate.ts';

/** Monday, 21 December 2026, 10:00 IST. */
export const NOW = new Date('2026-12-21T10:00:00.000+05:30');
export const INVESTOR = `invp_${'a'.repeat(32)}`;
export const STRANGER = `invp_${'c'.repeat(32)}`;
export const DAY_MS = 86_400_000;

export function rupees(text: string): Decimal {
  return Decimal.parse(text);
}

/** The body of a creation with valid defaults: Autopay over ₹5,000 at GATEWAYPOA. */
export function aRequest(changes: Partial<NewMandate> = {}): NewMandate {
  return {
    mandate_type: 'UPI',
    bank_account_id: 7,
    provider_name: 'GATEWAYPOA',
    mandate_limit: rupees('5000'),
    ...changes,
  };
}

/** A CREATED mandate with `changes` applied. */
export function aMandate(changes: Partial<Mandate> = {}): Mandate {
  const origin = {
    id: 1001,
    mandate_ref: `man_${'1'.repeat(32)}`,
    tenant: 'demo',
    investor_profile: INVESTOR,
    now: NOW,
  };
  return { ...createMandate(aRequest(), origin).row, ...changes };
}

/** A mandate that may be debited. */
export function anApprovedMandate(changes: Partial<Mandate> = {}): Mandate {
  const approval = { mandate_status: 'APPROVED', mandate_token: 'tok_1', approved_at: NOW } as const;
  return aMandate({ ...approval, event_seq: 2, ...changes });
}

/** The request of payments to debit order 501 by payment 9001. */
export function anAdmission(changes: Partial<AdmitDebit> = {}): AdmitDebit {
  return {
    tenant: 'demo',
    mandate_id: 1001,
    payment_id: 9001,
    old_id: 501,
    amount: rupees('1000'),
    investor_profile: INVESTOR,
    replaces: [],
    ...changes,
  };
}

/** The debit of order 501 by payment 9001, as it is admitted. */
export function aDebit(changes: Partial<Debit> = {}): Debit {
  return {
    ...{ payment_id: 9001, mandate_id: 1001, tenant: 'demo', old_id: 501, amount: rupees('1000') },
    ...{ debit_date: '2026-12-23', state: 'admitted', admitted_at: NOW, ended_at: null, check_at: null },
    ...{ mf_investment_account: null, first_on: null, event_seq: 0, execute_at: null },
    ...{ notice_begun_at: null, notice_number: 1, notice_merchant: null },
    ...{ notice_called_at: null, notified_at: null, notice_reference: null, notice_proof: null },
    ...{ notice_execute_at: null, notice_failed_at: null, notice_withdrawn_at: null },
    ...{ stop_code: null, failure_code: null, attempts: [] },
    ...changes,
  };
}

/** The first attempt of that debit, as it is begun. */
export function anAttempt(changes: Partial<AttemptRow> = {}): AttemptRow {
  return {
    ...{ payment_id: 9001, number: 1, tenant: 'demo', reference: 'P000000009001A1', state: 'begun' },
    ...{ started_at: NOW, called_at: NOW, accepted_at: null, ended_at: null },
    ...{ provider_reference: null, failure_code: null },
    ...changes,
  };
}
