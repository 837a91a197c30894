import { istDate, type Decimal } from '@fundrail/contracts';
import type { NoticeRow } from '../debit/notice.ts';
import { hasExpired, type MandateRow } from './mandate.ts';

/** A refusal of the simulated NPCI or bank, with the code that a provider would report. */
export interface Refused {
  readonly code: string;
  readonly message: string;
}

/** RBI e-mandate framework, 21 April 2026: the investor must be notified at least 24 hours before a debit. */
const NOTICE_MS = 24 * 3_600_000;

/** Why this mandate cannot be debited, or not with this amount; null when it can. */
export function mandateFault(mandate: MandateRow, amount: Decimal, now: Date): Refused | null {
  if (mandate.status !== 'active')
    return { code: 'mandate_cancelled', message: `the mandate is ${mandate.status}` };
  const today = istDate(now);
  if (hasExpired(mandate, now) || today < mandate.valid_from)
    return {
      code: 'mandate_cancelled',
      message: `the mandate is valid from ${mandate.valid_from} to ${mandate.valid_to}`,
    };
  if (amount.compare(mandate.max_amount) > 0)
    return { code: 'mandate_limit_exceeded', message: 'the amount is above the limit of the mandate' };
  return null;
}

/** The facts about a debit that is to be executed. */
interface DebitCase {
  readonly mandate: MandateRow;
  readonly amount: Decimal;
  readonly notice: NoticeRow | null;
  readonly isPaid: boolean;
  readonly isOpen: boolean;
}

/** Why a debit is refused immediately, or null. Only UPI Autopay requires a notice; NACH has none. */
export function debitFault(debit: DebitCase, now: Date): Refused | null {
  if (debit.isPaid) return { code: 'already_debited', message: 'this payment has been debited' };
  if (debit.isOpen) return { code: 'debit_in_progress', message: 'an attempt has not ended yet' };
  const fault = mandateFault(debit.mandate, debit.amount, now);
  if (fault || debit.mandate.mandate_type === 'E_MANDATE') return fault;
  return noticeFault(debit, now);
}

function noticeFault({ notice, mandate, amount }: DebitCase, now: Date): Refused | null {
  if (notice?.opted_out) return { code: 'debit_opted_out', message: 'the payer has refused this debit' };
  if (!notice || notice.withdrawn || notice.mandate_token !== mandate.token)
    return { code: 'notice_missing', message: 'the investor was not notified of this debit' };
  if (!notice.amount.equals(amount))
    return { code: 'notice_mismatch', message: 'the investor was notified of a different amount' };
  return now.getTime() - notice.sent_at.getTime() < NOTICE_MS
    ? { code: 'notice_too_young', message: 'the investor was notified less than 24 hours ago' }
    : null;
}
