import { Decimal } from '@fundrail/contracts';
import type { Collection } from '../collection/collection.ts';
import { newPayment, type PaymentFlow } from '../collection/new-payment.ts';
import type { PaymentTimes } from '../config.ts';
import type { OrderState, OrderStates } from '../payment/orders-of-payment.ts';
import type { Outcome, Payment } from '../payment/payment.ts';

/** 10:00 IST. */
export const NOW = new Date('2026-12-21T04:30:00.000Z');
export const TIMES: PaymentTimes = {
  fromCreationMs: 1_800_000,
  fromUriMs: 600_000,
  fromCollectMs: 300_000,
  tokenMs: 900_000,
  firstStatusSeconds: 90,
};
export const URI = 'upi://pay?pa=op%40bank&pn=Operator&mc=6211&tr=P000000001001&tn=x&am=6001.50&cu=INR';

export function minutesLater(count: number, from = NOW): Date {
  return new Date(from.getTime() + count * 60_000);
}

export function rupees(text: string): Decimal {
  return Decimal.parse(text);
}

const BY_URI: PaymentFlow = { kind: 'uri', method: 'UPI' };

/** A PENDING payment of two orders, by default 11 over ₹1,001.00 and 12 over ₹5,000.50, and how it is asked for. */
export function aCollection(
  { payment = {}, request = {} }: { readonly payment?: Partial<Payment>; readonly request?: object } = {},
  flow: PaymentFlow = BY_URI,
): Collection {
  const made = newPayment(
    {
      id: 1001,
      tenant: 'demo',
      from_bank_account_id: 7,
      bank_code: 'HDFC',
      mf_investment_account: 'mfia_a',
      provider_name: 'GATEWAYPOA',
      postback_url: 'https://app.example/back',
      source_ref_id: null,
      orders: [
        { old_id: 12, id: 'mfp_b', amount: rupees('5000.50') },
        { old_id: 11, id: 'mfp_a', amount: rupees('1001') },
      ],
    },
    flow,
    NOW,
    TIMES,
  );
  return {
    ...made.step.row,
    ...payment,
    request: made.request && { ...made.request, ...request },
    authorisation: null,
  };
}

/** The payment alone. */
export function aPayment(payment: Partial<Payment> = {}): Payment {
  const { request: _request, authorisation: _authorisation, ...made } = aCollection({ payment });
  return made;
}

export function states(...pairs: readonly (readonly [number, OrderState])[]): OrderStates {
  return new Map(pairs);
}

/** The status that the provider reports when the money came. */
export function capturedAs(provider_reference: string, amount = '6001.50', currency = 'INR') {
  return { status: 'captured', provider_reference, amount: rupees(amount), currency } as const;
}

/** The events of an outcome, in their order. */
export function eventsIn(outcome: Outcome): string[] {
  return outcome.steps.flatMap((step) => [...step.events]);
}

/** The kinds of the scheduled work. */
export function dueIn(outcome: Outcome): string[] {
  return outcome.due.map((task) => task.kind);
}
