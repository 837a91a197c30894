import type { Decimal } from '@fundrail/contracts';
import type { Answer } from './answer.ts';
import type { GatewayOrderStatus } from './gateway-order.ts';
import type { ProviderCapture, RefundStatus, TransferStatus } from './provider-payment.ts';

/** A page of an outside system's own records, created between two business times, after `cursor` (null: the first page). */
export interface BookQuery {
  readonly from: Date;
  readonly to: Date;
  readonly cursor: string | null;
}

/** `next` null: this is the last page. */
export interface BookPage<T> {
  readonly entries: readonly T[];
  readonly next: string | null;
}

/** An order in the gateway's records. */
export interface BookedOrder {
  readonly reference: string;
  /** In rupees; null when units or everything is redeemed. */
  readonly amount: Decimal | null;
  readonly status: GatewayOrderStatus;
}

/** Money received in a provider's records, with our reference, or null when it has none of ours. */
export interface BookedCapture extends ProviderCapture {
  readonly reference: string | null;
}

/** A refund in a provider's records, completed or pending. */
export interface BookedRefund {
  readonly reference: string | null;
  /** The provider's own id of it. */
  readonly provider_reference: string;
  readonly amount: Decimal;
  readonly status: RefundStatus['status'];
}

/** A provider's own records of captures and refunds, from any source: the other side of reconciliation. */
export interface ProviderBooks {
  captures(query: BookQuery): Promise<Answer<BookPage<BookedCapture>>>;
  refunds(query: BookQuery): Promise<Answer<BookPage<BookedRefund>>>;
}

/** A transfer in the gateway's records, with the amount of all its shares. */
export interface BookedTransfer {
  readonly reference: string;
  readonly payment_reference: string;
  readonly amount: Decimal;
  readonly status: TransferStatus['status'];
}
