import type { ProviderName } from './payment.entity.ts';

/**
 * What this service does later, by kind; each kind has one handler. The key is the payment's id, for refunds their reference,
 * for permits and replaced notices their own.
 */
export type DueKind =
  | 'payment.issue_uri'
  | 'payment.send_collect'
  | 'payment.expire'
  | 'payment.status'
  | 'payment.transfer'
  | 'payment.sweep'
  | 'payment.free_orders'
  | 'payment.refund'
  | 'authorisation.collect'
  | 'debit.notify'
  | 'debit.unconfirmed'
  | 'debit.execute'
  | `debit.execute.${Lowercase<ProviderName>}`
  | 'debit.status'
  | 'debit.withdraw'
  | 'debit.close_permit';
export interface DueTask {
  readonly kind: DueKind;
  readonly key: string;
  readonly due_at: Date;
  /** How much of the back-off is behind it; 0 unless told. */
  readonly attempts?: number;
}
