import { istTimestamp, type PaymentTraceDto } from '@fundrail/contracts';
import { outcomeNamed } from './provider-answer.ts';
import type { RecordedCallRow } from './recorded-call.repository.ts';

/** The progress of a call to a provider, as operators see it. */
type CallProgress = Pick<
  PaymentTraceDto['refunds'][number],
  'reference' | 'attempts' | 'last_tried_at' | 'next_try_at' | 'last_answer'
>;

/** The progress of the calls under a reference. `next` is when the next one is planned. */
export function callProgress(
  calls: ReadonlyMap<string, RecordedCallRow>,
  reference: string,
  next: Date | null,
): CallProgress {
  const row = calls.get(reference);
  return {
    reference,
    attempts: row?.attempts ?? null,
    last_tried_at: row?.tried_at ? istTimestamp(row.tried_at) : null,
    next_try_at: next && istTimestamp(next),
    last_answer: row
      ? {
          call: row.call,
          outcome: outcomeNamed(row.outcome),
          text: row.detail,
          at: istTimestamp(row.answered_at),
        }
      : null,
  };
}
