import type { StoreRow } from '../store/simulator.tables.ts';
import { inSeconds } from './listing.ts';

export type SdkRefundRow = StoreRow<'sdkRefunds'>;

/** Whether a repeated call with the same key makes the same request. */
export function isSameRefund(row: SdkRefundRow, other: SdkRefundRow): boolean {
  return (
    row.payment_id === other.payment_id &&
    row.receipt === other.receipt &&
    row.amount.compare(other.amount) === 0
  );
}

export function toRefundObject(row: SdkRefundRow) {
  return {
    ...{
      id: row.id,
      entity: 'refund',
      amount: row.amount.toPaise(),
      currency: 'INR',
      payment_id: row.payment_id,
    },
    ...{ notes: row.notes, receipt: row.receipt, acquirer_data: { arn: null }, batch_id: null },
    ...{ status: row.status, speed_requested: 'normal', speed_processed: 'normal' },
    created_at: inSeconds(row.created_at),
  };
}
