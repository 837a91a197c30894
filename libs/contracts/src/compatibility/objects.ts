/** How an object of that kind differs in the upstream's answers (COMP-6). */
export interface ObjectRules {
  /** By field, the upstream's value for each of ours that differs. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Fields that the upstream has and we do not, each with what is known. */
  readonly added: Readonly<Record<string, string | null>>;
}

/** By the `object` of an answer or of an event's object. */
export const OBJECTS: Readonly<Record<string, ObjectRules>> = {
  mf_purchase: {
    values: { type: { fresh: 'purchase', additional: 'additional_purchase' } },
    added: { server_ip: null, allotted_nav_date: null, retried_at: null },
  },
  mf_redemption: {
    values: {},
    added: {
      server_ip: null,
      redeemed_nav_date: null,
      retried_at: null,
      redemption_mode: 'normal',
      redemption_bank_account_number: null,
      redemption_bank_account_ifsc_code: null,
    },
  },
  mf_redemption_plan: {
    values: {},
    added: {
      server_ip: null,
      requested_activation_date: null,
      cancellation_scheduled_on: null,
      auto_cancelled: null,
    },
  },
  payment: { values: { failure_code: { payment_expired: 'fp_payment_expired' } }, added: {} },
};
