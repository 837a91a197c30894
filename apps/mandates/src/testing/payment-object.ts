const AT = '2026-12-21T10:00:00.000+05:30';

/** A payment as events carry it, with the fields that mandates reads. */
export function paymentObject(changes: object): object {
  return {
    payment_type: 'NACH',
    status: 'PENDING',
    amount: 1000,
    debit_date: '2026-12-23',
    amc_order_ids: [],
    method: null,
    failed_reason: null,
    failure_code: null,
    created_at: AT,
    submitted_at: null,
    debit_confirmed_at: null,
    failed_at: null,
    transfer_initiated_at: null,
    settled_at: null,
    rejected_at: null,
    from_bank_account_id: 7,
    provider_name: 'GATEWAYPOA',
    late_auth: false,
    refund_reference: null,
    refund_reason: null,
    refund_status: null,
    refund_created_at: null,
    refunds: [],
    source_ref_id: null,
    ...changes,
  };
}
