import type { PaymentFailureCode } from '@fundrail/contracts';
import type { PaymentTimes } from '../../config.ts';
import type { PaymentRow } from '../../payment/payment.tables.ts';
import type { Collection, UpiStart } from '../collection.ts';
import type { AttemptRow, Way } from './attempt.table.ts';

/** Whether the payment's page offers this way. A payment with a method has its ways only, an authorisation one. */
export function offersWay(
  { payment_type, method }: Pick<PaymentRow, 'payment_type' | 'method'>,
  way: Way,
): boolean {
  if (payment_type === 'AUTH_TRANSACTION') return way === (method === 'UPI' ? 'intent' : 'netbanking');
  return method !== (way === 'netbanking' ? 'UPI' : 'NETBANKING');
}

/** Far more than an investor needs. It protects the owner of a UPI ID from repeated requests. */
export const MOST_ATTEMPTS = 12;

/** Which step of the page the investor is at. */
export type Progress =
  /** `uri` is null while there is no QR code; `refused` is why the last attempt failed. */
  | { readonly kind: 'choosing'; readonly uri: string | null; readonly refused: PaymentFailureCode | null }
  | { readonly kind: 'collect'; readonly vpa: string }
  | { readonly kind: 'netbanking'; readonly bank: string; readonly address: string | null };

/**
 * The step that follows from the attempts, given oldest first. A running attempt locks the other ways (FLOW-10). A QR
 * code older than `validFrom` is not shown: the provider no longer takes money for it (TIME-2).
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
 * The attempts that a failure reported by the provider is for: all that it has confirmed, or only the newest one while an
 * older one may still succeed. An attempt that the provider has not confirmed yet may be unknown to it.
 */
export function failedAttempts(attempts: readonly AttemptRow[], isNewestOnly: boolean): readonly number[] {
  const isConfirmed = ({ way, address }: AttemptRow) => address !== null || way === 'collect';
  const open = attempts.filter((attempt) => attempt.failure_code === null && isConfirmed(attempt));
  const newest = attempts.at(-1);
  return (isNewestOnly ? open.filter((attempt) => attempt === newest) : open).map(({ number }) => number);
}

/** The start of the newest attempt, given oldest first, if it is by UPI; otherwise null. */
export function upiAttempt(
  attempts: readonly AttemptRow[],
  { firstStatusSeconds: firstSeconds }: PaymentTimes,
): UpiStart | null {
  const newest = attempts.at(-1);
  return newest && newest.way !== 'netbanking' ? { start: newest.started_at, firstSeconds } : null;
}

/** A code for what the page shows. It changes when another page is to be shown. */
export function stateOf(
  { status, request }: Collection,
  attempts: readonly AttemptRow[],
  validFrom: Date,
): string {
  const progress = progressOf(attempts, validFrom);
  const kind = progress.kind === 'choosing' && progress.uri === null ? 'no_qr' : progress.kind;
  return [status, request?.ending ?? 'open', kind, attempts.length].join('.').toLowerCase();
}

/** `ra***@okaxis`: its owner recognises it, a stranger cannot use it. */
export function maskedVpa(vpa: string): string {
  const [name = '', handle = ''] = vpa.split('@');
  return `${name.slice(0, 2)}***@${handle}`;
}
