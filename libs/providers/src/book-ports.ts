import type { Decimal } from '@fundrail/contracts';
import type { Answer, GatewayOrderStatus, ProviderCapture, RefundStatus, TransferStatus } from './ports.ts';

/** A page of an outside system's own books: what it took up between two business times, after `cursor` (null: the first page). */
export interface BookQuery {
  readonly from: Date;
  readonly to: Date;
  readonly cursor: string | null;
}

/** `next` null: there are no more. */
export interface BookPage<T> {
  readonly entries: readonly T[];
  readonly next: string | null;
}

/** An order on the gateway's books. */
export interface BookedOrder {
  readonly reference: string;
  /** In rupees; null where units or everything is redeemed. */
  readonly amount: Decimal | null;
  readonly status: GatewayOrderStatus;
}

/** Money that a provider's books say came in, under our reference; null: under none of ours. */
export interface BookedCapture extends ProviderCapture {
  readonly reference: string | null;
}

/** Money that a provider's books say went back, or is on its way. */
export interface BookedRefund {
  readonly reference: string | null;
  /** The provider's own name of it. */
  readonly provider_reference: string;
  readonly amount: Decimal;
  readonly status: RefundStatus['status'];
}

/** What a provider has written down of its own, whoever asked for it: the other side of reconciliation. */
export interface ProviderBooks {
  captures(query: BookQuery): Promise<Answer<BookPage<BookedCapture>>>;
  refunds(query: BookQuery): Promise<Answer<BookPage<BookedRefund>>>;
}

/** A transfer on the gateway's books; the amount of all its shares. */
export interface BookedTransfer {
  readonly reference: string;
  readonly payment_reference: string;
  readonly amount: Decimal;
  readonly status: TransferStatus['status'];
}
