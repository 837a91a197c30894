/**
 * The kinds of due work of this service; each kind has one handler. The key is the payment's id; refunds have their own keys.
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
  | 'debit.unconfirmed';
export interface DueTask {
  readonly kind: DueKind;
  readonly key: string;
  readonly due_at: Date;
  /** How many steps of the back-off to skip; default 0. */
  readonly attempts?: number;
}
