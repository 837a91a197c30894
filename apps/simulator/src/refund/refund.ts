import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import type { StoreRow } from '../store/simulator.tables.ts';

export type RefundRow = StoreRow<'refunds'>;

/** Whether the received money covers this refund and the earlier ones. */
export function isCovered(received: Decimal, refunded: Decimal, amount: Decimal): boolean {
  return refunded.plus(amount).compare(received) <= 0;
}

export function isSameRefund(row: RefundRow, request: gatewaypoaWire.RefundRequest): boolean {
  return row.payment_reference === request.payment_reference && row.amount.toPaise() === request.amount_paise;
}

/** The simulated bank always accepts the refund; null when it has already. */
export function processRefund(row: RefundRow): RefundRow | null {
  return row.status === 'processing' ? { ...row, status: 'processed' } : null;
}

export function toRefundObject({ reference, status, failure_code }: RefundRow): gatewaypoaWire.RefundObject {
  return status === 'failed' ? { reference, status, failure_code } : { reference, status };
}
