import type { PaymentFailureCode } from '@fundrail/contracts';
import type { PaymentRow } from '../payment/payment.entity.ts';

/** How the investor pays on the page. */
export const WAYS = ['intent', 'collect', 'netbanking'] as const;
export type Way = (typeof WAYS)[number];

/** Whether the payment's page offers this way: what was asked for by net banking, or for a mandate of one kind, has one only. */
export function offersWay(
  { payment_type, method }: Pick<PaymentRow, 'payment_type' | 'method'>,
  way: Way,
): boolean {
  if (payment_type === 'AUTH_TRANSACTION') return way === (method === 'UPI' ? 'intent' : 'netbanking');
  return way === 'netbanking' || method !== 'NETBANKING';
}

/** A row of `checkout_attempts`: one beginning at the provider, made on the page. */
export interface AttemptRow {
  readonly payment_id: number;
  readonly tenant: string;
  /** Counts the payment's attempts from 1. */
  readonly number: number;
  readonly way: Way;
  /** Who is asked, as the page may show it: the masked UPI ID, or the bank's code. */
  readonly shown: string | null;
  /** The UPI URI, or the bank's page; null until the provider has answered. */
  readonly address: string | null;
  /** The provider's refusal. */
  readonly failure_code: PaymentFailureCode | null;
  readonly started_at: Date;
  /** The investor wished to pay in another way. */
  readonly laid_aside_at: Date | null;
}

/** Far more than anybody needs; it keeps a stranger's UPI ID from being asked again and again. */
export const MOST_ATTEMPTS = 12;

/** Where the investor stands. */
export type Progress =
  /** `uri` is null while there is no QR code; `refused` says why the last try came to nothing. */
  | { readonly kind: 'choosing'; readonly uri: string | null; readonly refused: PaymentFailureCode | null }
  | { readonly kind: 'collect'; readonly vpa: string }
  | { readonly kind: 'netbanking'; readonly bank: string; readonly address: string | null };

/**
 * What the attempts, in their order, come to. A running one locks the other ways (interface "Create payment", rule 1). A QR
 * code from before `validFrom` is not shown any more: the provider takes no money for it (contract §3 "Times").
 */
export function progressOf(attempts: readonly AttemptRow[], validFrom: Date): Progress {
  const last = attempts.at(-1);
  const runs = last?.failure_code === null && last.laid_aside_at === null;
  if (runs && last.way === 'collect') return { kind: 'collect', vpa: last.shown ?? '' };
  if (runs && last.way === 'netbanking')
    return { kind: 'netbanking', bank: last.shown ?? '', address: last.address };
  const isShown = ({ way, address, started_at }: AttemptRow) =>
    way === 'intent' && address !== null && started_at > validFrom;
  const uri = attempts.findLast(isShown)?.address ?? null;
  return { kind: 'choosing', uri, refused: last?.failure_code ?? null };
}

/**
 * Which attempts a provider's word about failure is for: all that it knows of, or the newest one while an older may still
 * succeed. One whose beginning the provider has not answered yet may be unknown to it.
 */
export function failedOf(attempts: readonly AttemptRow[], isNewestOnly: boolean): readonly number[] {
  const isKnown = ({ way, address }: AttemptRow) => address !== null || way === 'collect';
  const open = attempts.filter((attempt) => attempt.failure_code === null && isKnown(attempt));
  const newest = attempts.at(-1);
  return (isNewestOnly ? open.filter((attempt) => attempt === newest) : open).map(({ number }) => number);
}

/** What a page shows, in a word that changes when another page is to be shown. */
export function stateOf(
  { status, ending }: Pick<PaymentRow, 'status' | 'ending'>,
  attempts: readonly AttemptRow[],
  validFrom: Date,
): string {
  const progress = progressOf(attempts, validFrom);
  const kind = progress.kind === 'choosing' && progress.uri === null ? 'no_qr' : progress.kind;
  return [status, ending ?? 'open', kind, attempts.length].join('.').toLowerCase();
}

/** `ra***@okaxis`: enough for its owner to know it, too little for anybody else. */
export function maskedVpa(vpa: string): string {
  const [name = '', handle = ''] = vpa.split('@');
  return `${name.slice(0, 2)}***@${handle}`;
}
