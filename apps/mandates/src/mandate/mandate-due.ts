/** Kinds of due work of this service. */
export const MANDATE_DUE = {
  /** `valid_to` has passed. The key is the mandate's id. */
  expire: 'mandate.expire',
  /** Pursues a revocation at the provider until it says so. The key is the revocation's id. */
  revoke: 'mandate.revoke',
  /** Asks the provider how a mandate stands. The key is the mandate's id. */
  status: 'mandate.status',
} as const;
