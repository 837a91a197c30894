import { ApiError } from '@fundrail/contracts';

/** SQLSTATE of `complete_idempotency_key` when another request holds the key now: that request continues with the same id. */
const KEY_TAKEN_OVER = 'FR001';

/** Whether another request took over the Idempotency-Key: the database reports it by SQLSTATE, `Caller.answer` by `ApiError`. */
export function isKeyTakenOver(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'IDEMPOTENCY_KEY_IN_USE';
  return error instanceof Error && Reflect.get(error, 'code') === KEY_TAKEN_OVER;
}
