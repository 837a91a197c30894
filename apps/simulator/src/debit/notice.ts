import { istTimestamp, type Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';

/** A pre-debit notice that was sent to the investor's app; amount in rupees. At Razorpay, it is identified by its order's id. */
export interface NoticeRow {
  readonly notice_reference: string;
  /** The call's idempotency key. */
  readonly reference: string;
  readonly payment_reference: string;
  readonly mandate_token: string;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly execute_at: Date;
  readonly sent_at: Date;
  readonly withdrawn: boolean;
}

/** Whether a repeated call describes the same notice. */
export function isSameNotice(row: NoticeRow, other: NoticeRow): boolean {
  const same = row.payment_reference === other.payment_reference && row.mandate_token === other.mandate_token;
  return same && row.amount.equals(other.amount);
}

export function toNoticeObject(row: NoticeRow): gatewaypoaWire.NoticeObject {
  return {
    notice_reference: row.notice_reference,
    status: row.withdrawn ? 'withdrawn' : 'sent',
    sent_at: istTimestamp(row.sent_at),
    execute_at: istTimestamp(row.execute_at),
    amount_paise: row.amount.toPaise(),
  };
}
