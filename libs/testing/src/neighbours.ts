import { stringifyJson, type BankAccountFacts, type TenantFacts } from '@fundrail/contracts';
import type { TransportAnswer } from '@fundrail/service-kit/http';

/** What another service answers. */
export function answered(body: object, status = 200): TransportAnswer {
  return { status, body: stringifyJson(body) };
}

/** Its answer about an object that it does not have. */
export function noSuchObject(): TransportAnswer {
  const error = { status: 404, code: 'NOT_FOUND', message: 'no such object', errors: [], request_id: 'r' };
  return answered({ error }, 404);
}

/** A tenant as identity describes it to other services. */
export function tenantOf(name: string, changes: Partial<TenantFacts['settings']> = {}): TenantFacts {
  const settings: TenantFacts['settings'] = {
    ...{ sdk_options_enabled: false, upi_collect_enabled: true, payment_provider: 'GATEWAYPOA' },
    ...{ default_postback_url: null, operator_name: 'Operator', verify_endpoints: false },
    rate_limits: { reads_per_second: 100, writes_per_second: 100 },
    simulator: { hold_transfer: false, hold_review: false, hold_registrar: false },
    ...changes,
  };
  return { name, settings, postback_secret: 'secret' };
}

/** A bank account as identity describes it to other services. */
export function bankAccountOf(old_id: number, profile: string): BankAccountFacts {
  const bank = { type: 'savings', ifsc_code: 'HDFC0000001', bank_code: 'HDFC' } as const;
  const holder = { primary_account_holder_name: 'A Investor', account_number: '001122334455' };
  return { id: `bac_${String(old_id).padStart(32, '0')}`, old_id, profile, ...holder, ...bank };
}

const UNSET_OF_PAYMENT = [
  ...['method', 'failed_reason', 'failure_code', 'submitted_at', 'debit_confirmed_at', 'failed_at'],
  ...['transfer_initiated_at', 'settled_at', 'rejected_at', 'refund_reference', 'refund_reason'],
  ...['refund_status', 'refund_created_at', 'mandate_id', 'source_ref_id'],
];

/** A payment of ₹5,000 as its events carry it. */
export function paymentOfEvent(changes: object): object {
  return {
    ...Object.fromEntries(UNSET_OF_PAYMENT.map((field) => [field, null])),
    ...{ payment_type: 'NETBANKING', status: 'PENDING', amount: 5000, debit_date: '2026-12-21' },
    ...{ amc_order_ids: [1], created_at: '2026-12-21T10:00:00.000+05:30', from_bank_account_id: 1 },
    ...{ provider_name: 'GATEWAYPOA', late_auth: false, refunds: [], ...changes },
  };
}
