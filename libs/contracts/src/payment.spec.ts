import { payment, REFUND_REASONS, REFUND_STATUSES } from './payment.dto.ts';

const words = (text: string): string[] => text.split(' ').sort();

it('a refund has one of eight reasons and one of three statuses, and no others (REF-2)', () => {
  const reasons =
    'late_authorization duplicate_payment order_failed order_not_confirmed transfer_rejected tpv_failed amount_mismatch operator';
  expect([...REFUND_REASONS].sort()).toEqual(words(reasons));
  expect([...REFUND_STATUSES].sort()).toEqual(words('CREATED SUCCESSFUL FAILED'));
});

it('a payment has the fields of the specification and no others (PAY-17)', () => {
  const fields =
    'id object payment_type status amount debit_date amc_order_ids method failed_reason failure_code created_at submitted_at debit_confirmed_at failed_at transfer_initiated_at settled_at rejected_at from_bank_account_id provider_name late_auth refund_reference refund_reason refund_status refund_created_at refunds upi mandate_id source_ref_id';
  expect(Object.keys(payment.shape).sort()).toEqual(words(fields));
});
