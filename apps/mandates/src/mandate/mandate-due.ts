/** Kinds of due work of this service. */
export const MANDATE_DUE = {
  /** `valid_to` has passed. The key is the mandate's id. */
  expire: 'mandate.expire',
  /** Retries a revocation at the provider until it is confirmed. The key is the revocation's id. */
  revoke: 'mandate.revoke',
  /** Asks the provider for a mandate's state. The key is the mandate's id. */
  status: 'mandate.status',
} as const;
