import { istTimestamp } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import type { StoreRow } from '../store/simulator.tables.ts';

export type NoticeRow = StoreRow<'notices'>;

/** Whether a repeated call describes the same notice. */
export function isSameNotice(row: NoticeRow, other: NoticeRow): boolean {
  const same = row.payment_reference === other.payment_reference && row.mandate_token === other.mandate_token;
  return same && row.amount.equals(other.amount);
}

export function toNoticeObject(row: NoticeRow): gatewaypoaWire.NoticeObject {
  return {
    notice_reference: row.notice_reference,
    status: row.opted_out ? 'opted_out' : row.withdrawn ? 'withdrawn' : 'sent',
    sent_at: istTimestamp(row.sent_at),
    execute_at: istTimestamp(row.execute_at),
    amount_paise: row.amount.toPaise(),
    ...{ merchant: row.merchant, mandate_ref: row.mandate_ref, reason: row.reason },
  };
}
