import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import type { StoreRow } from '../store/simulator.tables.ts';

export type DebitRow = StoreRow<'debits'>;

/** The account has insufficient funds when the last digit of the whole rupees is this one (SAND-4). */
export const NO_FUNDS = 3n;

/** Why the bank does not pay a debit, or null (SAND-4). */
export function bankFault(
  amount: Decimal,
): { readonly code: PaymentFailureCode; readonly message: string } | null {
  return amount.wholePart() % 10n === NO_FUNDS
    ? { code: 'insufficient_funds', message: 'The account has insufficient funds' }
    : null;
}

/**
 * Ends the attempt as the payment's row states. The last attempt may succeed after it failed: that is the late success. Throws
 * `IllegalTransition` when no attempt was started.
 */
export function endDebit(
  attempts: readonly DebitRow[],
  { status, provider_reference, failure_code, failure_message }: ProviderPaymentRow,
): DebitRow {
  const started = attempts.filter((row) => row.status !== 'refused');
  const latest = started.find((row) => row.status === 'processing') ?? started.at(-1);
  if (!latest) throw noAttempt('gatewaypoa');
  return status === 'captured'
    ? { ...latest, status, provider_reference, failure_code: null, failure_message: null }
    : { ...latest, status: 'failed', failure_code, failure_message };
}

export function noAttempt(provider: string): IllegalTransition {
  return new IllegalTransition(`${provider} debit`, 'not executed yet', 'simulate', 'an outcome');
}

/** The attempt as in gatewaypoa's responses and callbacks. */
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
      return row.status satisfies never;
  }
}
