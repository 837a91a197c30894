/** The arguments of `complete_idempotency_key(tenant, key, holder, status, body)`; all null when the request has no key. */
export interface KeyCompletion {
  readonly tenant: string | null;
  readonly key: string | null;
  readonly holder: string | null;
  readonly status: number | null;
  readonly body: string | null;
}

/** A key that this request holds (IDEM-1). */
export interface IdempotencyKey {
  readonly key: string;
  /**
   * The id of the resource that this key creates: `draw` is called once, and a retry of a request that died gets the same id
   * (CLAIM-1). Call it outside any transaction. Throws when the key was taken over meanwhile.
   */
  reserve(draw: () => Promise<string>): Promise<string>;
  /** The values for a hot-path statement that completes the key; see `completionOf`. */
  completion(body: unknown, status?: number): KeyCompletion;
  /** Stores no answer: it is all about a person, and a repeat reads it again. Only for a request without an effect (IDEM-12). */
  keepNothing(): void;
}

const NONE: KeyCompletion = { tenant: null, key: null, holder: null, status: null, body: null };

/**
 * Completes the key inside the caller's statement: select `complete_idempotency_key(…)` in its main SELECT (not in a CTE, which
 * runs only when it is referenced) with `completionValues` of the result. Without a key the function does nothing; when the key was
 * taken over, the whole statement fails and the request is answered with 409.
 */
export function completionOf(key: IdempotencyKey | null, body: unknown, status = 200): KeyCompletion {
  return key?.completion(body, status) ?? NONE;
}

/** The types of `completionValues`: the arguments of the SQL function `complete_idempotency_key`, in its order. */
export const KEY_TYPES: readonly string[] = ['text', 'text', 'text', 'smallint', 'text'];

/** The arguments of the SQL function `complete_idempotency_key`: all null without a key, which makes it do nothing. */
export function completionValues(completion: KeyCompletion): (string | number | null)[] {
  return [completion.tenant, completion.key, completion.holder, completion.status, completion.body];
}
