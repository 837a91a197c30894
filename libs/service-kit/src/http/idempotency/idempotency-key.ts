/** The arguments of `complete_idempotency_key(tenant, key, holder, status, body)`; all null when the request has no key. */
export interface KeyCompletion {
  readonly tenant: string | null;
  readonly key: string | null;
  readonly holder: string | null;
  readonly status: number | null;
  readonly body: string | null;
}

/** A key that this request holds (contract §0.2). */
export interface IdempotencyKey {
  readonly key: string;
  /**
   * The id of the resource that this key makes: `draw` is asked once, and a retry of a request that died gets the same id
   * (architecture §11, 1). Call it outside any transaction. Throws when the key was taken over meanwhile.
   */
  reserve(draw: () => Promise<string>): Promise<string>;
  /** What a hot-path statement needs to complete the key in itself; see `completionOf`. */
  completion(body: unknown, status?: number): KeyCompletion;
}

const NONE: KeyCompletion = { tenant: null, key: null, holder: null, status: null, body: null };

/**
 * Completes the key inside a statement of one's own: select `${COMPLETE_KEY}` in its main SELECT (not in a CTE, which runs
 * only when it is referred to) with five parameters, the values of this in its order. Without a key it does nothing; when
 * the key was taken over, the whole statement fails and the request is answered with 409.
 */
export function completionOf(key: IdempotencyKey | null, body: unknown, status = 200): KeyCompletion {
  return key?.completion(body, status) ?? NONE;
}

/** SQL text that completes a key with the parameters from `$first` on: tenant, key, holder, status, body. */
export function completeKeySql(first: number): string {
  const [tenant, key, holder, status, body] = [0, 1, 2, 3, 4].map((step) => `$${first + step}`);
  return `complete_idempotency_key(${tenant}::text, ${key}::text, ${holder}::text, ${status}::smallint, ${body}::text)`;
}

/** The values for `completeKeySql`. */
export function completionValues(completion: KeyCompletion): (string | number | null)[] {
  return [completion.tenant, completion.key, completion.holder, completion.status, completion.body];
}
