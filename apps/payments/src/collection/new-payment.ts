import { Decimal, istDate, type ProviderName } from '@fundrail/contracts';
import { created, paymentMachine } from '@fundrail/state-machines';
import { BLANK, type Payment } from '../payment/payment.ts';
import type { PaymentTimes } from '../config.ts';
import type { NewCollection } from './created-rows.ts';
import { newRequest, shownUpi, type Flow } from './new-request.ts';

/** How the investor pays; the page may offer net banking alone. */
export type PaymentFlow = Flow & { readonly method: 'UPI' | 'NETBANKING' | null };

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
    .map(({ old_id, id: order_id, amount, scheme = null, display_name = null }) => ({
      ...{ payment_id: id, old_id, tenant, order_id, amount, live: true, scheme, display_name },
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
