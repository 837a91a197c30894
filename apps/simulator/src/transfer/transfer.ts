import type { gatewaypoaWire } from '@fundrail/providers';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import type { StoreRow } from '../store/simulator.tables.ts';

export type TransferRow = StoreRow<'transfers'>;

/** Settles the transfer, or rejects it if a test requested that for this payment; null when it has already ended. */
export function endTransfer(row: TransferRow, payment: ProviderPaymentRow): TransferRow | null {
  if (row.status !== 'processing') return null;
  if (payment.transfer_refusal === null) return { ...row, status: 'settled' };
  return { ...row, status: 'rejected', failure_code: payment.transfer_refusal };
}

export function toTransferObject({
  reference,
  status,
  failure_code,
}: TransferRow): gatewaypoaWire.TransferObject {
  return status === 'rejected' ? { reference, status, failure_code } : { reference, status };
}

/** The sum of the shares in paise. */
export function totalPaise(shares: TransferRow['shares']): number {
  return shares.reduce((sum, share) => sum + share.amount_paise, 0);
}
