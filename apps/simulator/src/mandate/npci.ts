import { istDate } from '@fundrail/contracts';
import type { Decimal } from '@fundrail/contracts';
import type { NoticeRow } from '../debit/notice.ts';
import { hasExpired } from './mandate.ts';
import type { MandateRow } from './mandate.ts';

/** Why the played NPCI or bank refuses, by the code that a provider would tell. */
export interface Refused {
  readonly code: string;
  readonly message: string;
}

/** RBI e-mandate framework, 21 April 2026: the investor hears of a debit at least 24 hours before it. */
const NOTICE_MS = 24 * 3_600_000;

/** Why nothing can be debited from this mandate at all, or this amount not; null when it can. */
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

/** What is known of a debit when it shall be executed. */
export interface DebitCase {
  readonly mandate: MandateRow;
  readonly amount: Decimal;
  readonly notice: NoticeRow | null;
  readonly isPaid: boolean;
  readonly isOpen: boolean;
}

/** Why a debit is refused at once, or null. Only UPI Autopay asks for a notice; NACH does not know one. */
export function debitFault(debit: DebitCase, now: Date): Refused | null {
  if (debit.isPaid) return { code: 'already_debited', message: 'this payment has been debited' };
  if (debit.isOpen) return { code: 'debit_in_progress', message: 'an attempt has not ended yet' };
  const fault = mandateFault(debit.mandate, debit.amount, now);
  if (fault || debit.mandate.mandate_type === 'E_MANDATE') return fault;
  return noticeFault(debit, now);
}

function noticeFault({ notice, mandate, amount }: DebitCase, now: Date): Refused | null {
  if (!notice || notice.withdrawn || notice.mandate_token !== mandate.token)
    return { code: 'notice_missing', message: 'the investor was not told of this debit' };
  if (!notice.amount.equals(amount))
    return { code: 'notice_mismatch', message: 'the investor was told of another amount' };
  return now.getTime() - notice.sent_at.getTime() < NOTICE_MS
    ? { code: 'notice_too_young', message: 'the investor was told less than 24 hours ago' }
    : null;
}
