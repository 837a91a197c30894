/** What differs between the two kinds of plans, for this benchmark's statements and requests. */
export interface Kind {
  readonly kind: 'redemption' | 'purchase';
  /** The prefixes of the ids of its plans and of their orders. */
  readonly plan: string;
  readonly order: string;
  readonly path: string;
  readonly event: string;
  /** The installments of each plan that are made already. */
  readonly made: number;
  /** The date of the installment that falls due. That of a purchase is far away, so that no other is due during a run. */
  readonly next: string;
}

export const REDEMPTION: Kind = {
  kind: 'redemption',
  ...{ plan: 'mfr_', order: 'mfrd_', path: '/v2/mf_redemption_plans' },
  event: 'mf_redemption_plan.installment_generated',
  ...{ made: 1, next: '2026-11-05' },
};

/** So many that a half-yearly step is due in every frequency. */
export const PURCHASE: Kind = {
  kind: 'purchase',
  ...{ plan: 'mfpp_', order: 'mfp_', path: '/v2/mf_purchase_plans' },
  event: 'mf_purchase_plan.installment_generated',
  ...{ made: 27, next: '2030-11-05' },
};
