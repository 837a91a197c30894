import { PROVIDER_ANSWERS, type ProviderAnswer } from '@fundrail/contracts';

/** An answer of a provider, as far as it is stored (`Answer` of libs/providers). */
export type Answered =
  | { readonly kind: 'yes'; readonly value: unknown }
  | { readonly kind: 'no'; readonly failure_code: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly why: ProviderAnswer; readonly detail: string };

/** The stored part of a provider's answer: its kind and a short text. */
export interface StoredAnswer {
  readonly outcome: ProviderAnswer;
  readonly detail: string | null;
}

/** The maximum length of the text, in characters. */
export const LONGEST_DETAIL = 200;

/**
 * The part of an answer that is stored: its status, the code of a refusal, or why it is not usable. The message of a refusal is left out,
 * because providers write names and UPI IDs into it.
 */
export function storedAnswer(answer: Answered): StoredAnswer {
  switch (answer.kind) {
    case 'yes':
      return { outcome: 'answered', detail: statusIn(answer.value) };
    case 'no':
      return { outcome: 'refused', detail: safeText(answer.failure_code) };
    case 'not_found':
      return { outcome: 'not_found', detail: null };
    case 'unknown':
      return { outcome: answer.why, detail: safeText(answer.detail) };
    default:
      return answer satisfies never;
  }
}

/** Whether the provider was called. A call that was held back here was not sent. */
export function wasSent({ outcome }: StoredAnswer): boolean {
  return outcome !== 'not_sent';
}

/**
 * The text without possible secrets and personal data. Words with an `@`, long words with three or more digits, and queries of URLs become
 * `…`. Cut to `LONGEST_DETAIL` characters, in one line.
 */
export function safeText(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll(/\S*@\S*/gu, '…')
    .replaceAll(/\?\S+/gu, '?…')
    .replaceAll(/[\p{L}\p{N}_-]{6,}/gu, (word) => ((word.match(/\d/g)?.length ?? 0) >= 3 ? '…' : word))
    .trim();
  return line.length <= LONGEST_DETAIL ? line : `${line.slice(0, LONGEST_DETAIL - 1)}…`;
}

/** The outcome of a row; `not_understood` for an outcome of a newer release. */
export function outcomeNamed(text: string): ProviderAnswer {
  return PROVIDER_ANSWERS.find((outcome) => outcome === text) ?? 'not_understood';
}

function statusIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('status' in value)) return null;
  return typeof value.status === 'string' ? safeText(value.status) : null;
}
