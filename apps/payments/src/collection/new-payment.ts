import { Decimal, istDate, type ProviderName } from '@fundrail/contracts';
import { created, paymentMachine } from '@fundrail/state-machines';
import type { Payment, Step } from '../payment/payment.ts';
import type { PaymentTimes } from './collection.ts';

/** How the investor pays (FLOW-1 to FLOW-6). */
export type Flow =
  | { readonly kind: 'uri' }
  | { readonly kind: 'collect'; readonly vpa: string }
  /** The hosted page, and the provider's SDK if it is enabled for the tenant. */
  | { readonly kind: 'checkout'; readonly method: 'NETBANKING' | null; readonly sdk: boolean };

/** An order that the payment pays for. */
export interface NewShare {
  readonly old_id: number;
  readonly id: string;
  readonly amount: Decimal;
  /** The ISIN of its scheme, if orders returned it. */
  readonly scheme?: string | undefined;
  /** The client's name for it on the payer's page. */
  readonly display_name?: string | undefined;
}

interface NewPayment {
  readonly id: number;
  readonly tenant: string;
  readonly from_bank_account_id: number;
  readonly bank_code: string | null;
  readonly mf_investment_account: string;
  readonly provider_name: ProviderName;
  readonly payment_postback_url: string;
  readonly source_ref_id: string | null;
  readonly orders: readonly NewShare[];
}

const NOTHING = Decimal.parse('0');

/** The initial values of a payment. */
export const BLANK = {
  payment_type: 'NETBANKING',
  status: 'PENDING',
  method: 'UPI',
  upi_type: null,
  upi_vpa: null,
  upi_uri: null,
  mandate_id: null,
  source_ref_id: null,
  failed_reason: null,
  failure_code: null,
  submitted_at: null,
  debit_confirmed_at: null,
  failed_at: null,
  transfer_initiated_at: null,
  settled_at: null,
  rejected_at: null,
  late_auth: false,
  event_seq: 0,
  uri_requested_at: null,
  ending: null,
  provider_closed_at: null,
  received_amount: NOTHING,
  refunded_amount: NOTHING,
  transfer_reference: null,
  transfer_accepted_at: null,
  collect_sent_at: null,
  checkout_order_id: null,
  checkout_customer_id: null,
  mandate_fact: null,
  token_expires_at: null,
  token_used_at: null,
  page_session_hash: null,
  sdk_options_offered: false,
  refunds: [],
  captures: [],
} as const;

/** A PENDING payment; its amount is the sum of its orders. */
export function newPayment(input: NewPayment, flow: Flow, now: Date, times: PaymentTimes): Step {
  const { orders, ...given } = input;
  const shares = orders
    .map(({ old_id, id, amount, scheme, display_name }) => ({
      payment_id: input.id,
      old_id,
      tenant: input.tenant,
      order_id: id,
      amount,
      live: true,
      scheme: scheme ?? null,
      display_name: display_name ?? null,
    }))
    .sort((a, b) => a.old_id - b.old_id);
  const row: Payment = {
    ...BLANK,
    ...given,
    amount: Decimal.sum(shares.map((share) => share.amount)),
    debit_date: istDate(now),
    created_at: now,
    orders: shares,
    ...columnsOf(flow, now, times),
  };
  return created(paymentMachine, row);
}

function columnsOf(flow: Flow, now: Date, times: PaymentTimes) {
  const later = (ms: number) => new Date(now.getTime() + ms);
  switch (flow.kind) {
    case 'uri':
      return { upi_type: 'uri', expires_at: later(times.fromCreationMs) } as const;
    case 'collect':
      return { upi_type: 'collect', upi_vpa: flow.vpa, expires_at: later(times.fromCreationMs) } as const;
    case 'checkout': {
      const token_expires_at = later(times.tokenMs);
      // With an SDK the investor can pay without opening the page.
      const expires_at = flow.sdk ? later(times.fromCreationMs) : token_expires_at;
      return { method: flow.method, sdk_options_offered: flow.sdk, token_expires_at, expires_at };
    }
    default:
      return flow satisfies never;
  }
}
