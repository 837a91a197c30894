import type { PaymentDto } from '@fundrail/contracts';
import { checkoutMachine } from '@fundrail/state-machines';
import type { CheckoutRow, UpiRequest } from './collection.tables.ts';
import type { PaymentTimes } from '../config.ts';

/** How the investor pays, or authorises a mandate (FLOW-1 to FLOW-6, MAN-12 to MAN-14). */
export type Flow =
  | { readonly kind: 'uri' }
  | { readonly kind: 'collect'; readonly vpa: string }
  /** The hosted page; with `sdk`, the options of the provider's SDK are offered too. */
  | { readonly kind: 'checkout'; readonly sdk: boolean };

/** What the request is for. */
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
