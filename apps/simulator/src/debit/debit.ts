import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';

/** One attempt to debit a mandate of gatewaypoa; amount in rupees. Attempts at Razorpay are its payments. */
export interface DebitRow {
  readonly reference: string;
  readonly payment_reference: string;
  readonly tenant: string;
  readonly mandate_token: string;
  readonly notice_reference: string | null;
  readonly amount: Decimal;
  readonly attempt: number;
  /** `refused`: turned away when it was asked for, so nothing was begun. */
  readonly status: 'processing' | 'captured' | 'failed' | 'refused';
  readonly provider_reference: string | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly created_at: Date;
}

/** The digit of the last whole rupee for which the account has not enough money (contract §7). */
const NO_FUNDS = 3n;

/** Why the bank does not pay a debit, or null (contract §7). */
export function bankFault(
  amount: Decimal,
): { readonly code: PaymentFailureCode; readonly message: string } | null {
  return amount.wholePart() % 10n === NO_FUNDS
    ? { code: 'insufficient_funds', message: 'The account has not enough money' }
    : null;
}

/**
 * The attempt's end as the payment's row says. Money may come for the last attempt although it had failed: that is the late
 * success. Throws `IllegalTransition` when no attempt was begun.
 */
export function endDebit(
  attempts: readonly DebitRow[],
  { status, provider_reference, failure_code, failure_message }: ProviderPaymentRow,
): DebitRow {
  const begun = attempts.filter((row) => row.status !== 'refused');
  const played = begun.find((row) => row.status === 'processing') ?? begun.at(-1);
  if (!played) throw noAttempt('gatewaypoa');
  return status === 'captured'
    ? { ...played, status, provider_reference, failure_code: null, failure_message: null }
    : { ...played, status: 'failed', failure_code, failure_message };
}

export function noAttempt(provider: string): IllegalTransition {
  return new IllegalTransition(`${provider} debit`, 'not executed yet', 'simulate', 'an outcome');
}

/** The attempt as gatewaypoa answers it and as its callbacks carry it. */
export function toDebitObject(row: DebitRow): gatewaypoaWire.DebitObject {
  const { reference, payment_reference, failure_code, failure_message } = row;
  switch (row.status) {
    case 'processing':
      return { reference, payment_reference, status: 'processing' };
    case 'captured': {
      const provider_reference = row.provider_reference ?? reference;
      const money = { amount_paise: row.amount.toPaise(), currency: 'INR' };
      return { reference, payment_reference, status: 'captured', provider_reference, ...money };
    }
    case 'failed':
    case 'refused':
      return { reference, payment_reference, status: 'failed', failure_code, failure_message };
    default:
      return impossible(row.status);
  }
}

function impossible(status: never): never {
  throw new Error(`no such status: ${String(status)}`);
}
