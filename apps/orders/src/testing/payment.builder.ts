import { Decimal } from '@fundrail/contracts';
import type { PaymentStatus } from '@fundrail/state-machines';

/** A payment event's object, with the fields that orders reads. */
export function aPayment(id: number, status: PaymentStatus, changes: object = {}): object {
  const unset = [
    'submitted_at',
    'debit_confirmed_at',
    'failed_at',
    'transfer_initiated_at',
    'settled_at',
    'rejected_at',
  ];
  const refund = [
    'refund_reference',
    'refund_reason',
    'refund_status',
    'refund_created_at',
    'mandate_id',
    'source_ref_id',
  ];
  return {
    ...Object.fromEntries(
      [...unset, ...refund, 'method', 'failed_reason', 'failure_code'].map((field) => [field, null]),
    ),
    id,
    status,
    payment_type: 'NETBANKING',
    amount: Decimal.parse('5000'),
    debit_date: '2026-12-21',
    amc_order_ids: [1],
    created_at: '2026-12-21T10:00:00.000+05:30',
    from_bank_account_id: 1,
    provider_name: 'GATEWAYPOA',
    late_auth: false,
    refunds: [],
    ...changes,
  };
}
