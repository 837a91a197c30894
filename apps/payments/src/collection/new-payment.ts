import {
  Decimal,
  istDate,
  type PaymentDto,
  type ProviderName,
  type SchemeCategory,
} from '@fundrail/contracts';
import { checkoutMachine, created, paymentMachine } from '@fundrail/state-machines';
import type { PaymentTimes } from '../config.ts';
import { BLANK, type Payment } from '../payment/payment.ts';
import type { NewCollection } from './collection.ts';
import type { CheckoutRow, UpiRequest } from './collection.tables.ts';

/** How the investor pays, or authorises a mandate (FLOW-1 to FLOW-6, MAN-12 to MAN-14). */
export type Flow =
  | { readonly kind: 'uri' }
  | { readonly kind: 'collect'; readonly vpa: string }
  /** The hosted page; with `sdk`, the options of the provider's SDK are offered too. */
  | { readonly kind: 'checkout'; readonly sdk: boolean };

/** How the investor pays; the page may offer net banking alone, or UPI alone. */
export type PaymentFlow = Flow & { readonly method: 'UPI' | 'NETBANKING' | null };

/** An order that the payment pays for. */
export interface NewShare {
  readonly old_id: number;
  readonly id: string;
  readonly amount: Decimal;
  /** The ISIN of its scheme, if orders returned it. */
  readonly scheme?: string | undefined;
  /** Its category, if orders returned it. */
  readonly scheme_category?: SchemeCategory | null | undefined;
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
  readonly postback_url: string;
  readonly source_ref_id: string | null;
  readonly orders: readonly NewShare[];
}

/** A PENDING payment; its amount is the sum of its orders. */
export function newPayment(
  input: NewPayment,
  flow: PaymentFlow,
  now: Date,
  times: PaymentTimes,
): NewCollection {
  const { id, tenant, from_bank_account_id, provider_name, source_ref_id } = input;
  const orders = input.orders
    .map(({ old_id, id: order_id, amount, scheme = null, scheme_category = null, display_name = null }) => ({
      ...{ payment_id: id, old_id, tenant, order_id, amount, live: true },
      ...{ scheme, scheme_category, display_name },
    }))
    .sort((a, b) => a.old_id - b.old_id);
  const row: Payment = {
    ...BLANK,
    ...{ id, tenant, from_bank_account_id, provider_name, source_ref_id },
    payment_type: 'NETBANKING',
    method: flow.method,
    upi: shownUpi(flow),
    amount: Decimal.sum(orders.map((share) => share.amount)),
    debit_date: istDate(now),
    created_at: now,
    orders,
  };
  return {
    step: created(paymentMachine, row),
    request: newRequest(flow, { ...input, upi_state: 'waiting' }, now, times),
    authorisation: null,
  };
}

interface RequestOf {
  readonly id: number;
  readonly tenant: string;
  /** Empty when no browser returns to the client. */
  readonly postback_url: string;
  readonly bank_code: string | null;
  readonly mf_investment_account: string | null;
  /** The first state of a UPI request. */
  readonly upi_state: 'waiting' | 'requested';
}

/** The first values of a request. */
export function newRequest(
  flow: Flow,
  of: RequestOf,
  now: Date,
  times: PaymentTimes,
): UpiRequest | CheckoutRow {
  const later = (ms: number) => new Date(now.getTime() + ms);
  const { id: payment_id, tenant, mf_investment_account, postback_url, bank_code } = of;
  const common = { payment_id, tenant, mf_investment_account, ending: null };
  const expires_at = later(times.fromCreationMs);
  if (flow.kind !== 'checkout') return { ...common, state: of.upi_state, expires_at, sent_at: null };
  const token_expires_at = later(times.tokenMs);
  return {
    ...common,
    ...{ postback_url, bank_code, token_expires_at, sdk_offered: flow.sdk },
    state: checkoutMachine.initial,
    // Without an SDK the page is the only way, so the payment ends when the page can no longer be opened.
    expires_at: flow.sdk ? expires_at : token_expires_at,
    ...{ opened_at: null, session_hash: null, order_id: null, customer_id: null },
  };
}

/** The UPI object as the API shows it: a collect request has no URI (FLOW-2). */
export function shownUpi(flow: Flow): PaymentDto['upi'] {
  if (flow.kind === 'checkout') return null;
  return flow.kind === 'uri'
    ? { type: 'uri', vpa: null, uri: null }
    : { type: 'collect', vpa: flow.vpa, uri: '' };
}
