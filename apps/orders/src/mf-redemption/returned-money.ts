import { amended, mfRedemptionMachine } from '@fundrail/state-machines';
import type { Order, OrderStep } from '../order/order.ts';

/**
 * One replica stores when it called, by its own clock, and another one compares that with its own clock. Clocks may differ by this
 * much (docs/operations/access.md "Access tokens"), so it is added to each of the times below.
 */
const CLOCKS_APART_MS = 60_000;
/**
 * How long a call without an answer may still reach the gateway: three times an adapter's timeout. Until then the gateway's "not
 * known here" proves nothing.
 */
const CALL_ARRIVES_MS = 15_000 + CLOCKS_APART_MS;
/** How long a call counts as in progress after its process died: the timeouts of identity and of the gateway, with a reserve. */
export const UNDER_WAY_MS = 60_000 + CLOCKS_APART_MS;

/**
 * The effect on an order when the money collected for it goes back (decision 0030).
 * - `nothing`: it takes no money by a mandate, or it has ended.
 * - `fail`: the gateway was never called. The order fails, and is never submitted.
 * - `stop`: a call was made and got no answer. No further call is started, and the gateway is asked whether it has the order.
 * - `under_way`: a call is in progress.
 * - `submitted`: the gateway has the order.
 */
export type MoneyBack = 'nothing' | 'fail' | 'stop' | 'under_way' | 'submitted';

/** Decides for a locked row. */
export function moneyBack(row: Order, now: Date): MoneyBack {
  if (row.collection_mandate === null) return 'nothing';
  if (row.state === 'submitted' || row.state === 'successful') return 'submitted';
  if (row.state !== 'confirmed') return 'nothing';
  if (row.submission_called_at === null) return 'fail';
  return isUnderWay(row, now) ? 'under_way' : 'stop';
}

function isUnderWay({ submission_called_at, submission_over_at }: Order, now: Date): boolean {
  if (submission_called_at === null || submission_over_at !== null) return false;
  return now.getTime() - submission_called_at.getTime() < UNDER_WAY_MS;
}

/** The time from which the gateway's "not known here" proves that no submission arrived; null when it does already. */
export function arrivesUntil({ submission_called_at }: Order, now: Date): Date | null {
  if (submission_called_at === null) return null;
  const until = new Date(submission_called_at.getTime() + CALL_ARRIVES_MS);
  return until > now ? until : null;
}

/**
 * Informs clients that the money of an order went back although the gateway has the order. The state stays: the registrar decides
 * it.
 */
export function reportReturn(row: Order): OrderStep {
  return amended(mfRedemptionMachine, row, 'return_collection', {
    events: ['mf_redemption.collection_returned'],
  });
}
