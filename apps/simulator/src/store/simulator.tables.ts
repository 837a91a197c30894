import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
import {
  bigint,
  boolean,
  date,
  defineTable,
  integer,
  jsonb,
  numeric,
  Rows,
  text,
} from '@fundrail/persistence';
import { timestamptz } from '@fundrail/persistence';
import type { gatewaypoaWire } from '@fundrail/providers';
import type { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import type { FaultKind } from '../fault/fault.ts';

/** Notes as received: an object of texts, or `[]`. */
export type Notes = sdkvendorWire.OrderRequest['notes'];

/** What every object at gatewaypoa has. Its reference is the idempotency key of the call that created it. */
const reference = { reference: text().primary(), tenant: text(), created_at: timestamptz() };
/** The same of an object at Razorpay, which has an id. */
const razorpay = {
  id: text().primary(),
  number: bigint().aside(),
  tenant: text(),
  created_at: timestamptz(),
};

/** An order of the simulated gateway and registrar. Amounts in rupees. Each of the three steps has its own column. */
const orders = defineTable('gateway_orders', {
  ...reference,
  ...{ old_id: bigint(), kind: text<'purchase' | 'redemption'>(), scheme: text() },
  ...{ folio_number: text().nullable(), amount: numeric().nullable(), units: numeric().nullable() },
  /** A redemption that is paid by a transfer, like a purchase. */
  collected: boolean(),
  review: text<'in_review' | 'passed' | 'rejected'>().bySteps(),
  submission: text<'none' | 'accepted'>().bySteps(),
  order_reference: text().nullable().bySteps(),
  outcome: text<'processing' | 'processed' | 'rejected' | 'reversed'>().bySteps(),
  failure_code: text().nullable().bySteps(),
  /** When the gateway accepted it, which decides its NAV; null also where an older release accepted it. */
  submitted_at: timestamptz().nullable().bySteps(),
  /** A transfer with a share for this order has settled, and when. */
  money_arrived: boolean().bySteps(),
  money_arrived_at: timestamptz().nullable().bySteps(),
  ...{ traded_on: date().nullable().bySteps(), allotted_units: numeric().nullable().bySteps() },
  ...{ allotted_amount: numeric().nullable().bySteps(), nav: numeric().nullable().bySteps() },
  allotted_folio: text().nullable().bySteps(),
  /** When the proceeds of a redemption were paid. */
  paid_out_at: timestamptz().nullable().bySteps(),
});

/** A redemption plan of the simulated gateway. Each installment arrives as a separate order. */
const plans = defineTable('gateway_plans', {
  ...reference,
  ...{ old_id: bigint(), number_of_installments: integer() },
  review: text<'in_review' | 'passed' | 'rejected'>().bySteps(),
  registration: text<'none' | 'in_progress' | 'registered'>().bySteps(),
  failure_code: text().nullable().bySteps(),
});

/** A payment at the simulated provider; amount in rupees. The payer's bank account is not stored: nothing here needs it. */
const payments = defineTable('provider_payments', {
  ...reference,
  /** What the payer is asked for: money, a mandate (the amount is its limit), or nothing (a mandate is debited). */
  kind: text<'payment' | 'authorisation' | 'debit'>().bySteps(),
  /** The provider. Orders of sdkvendor are here too, so that the page, the simulate routes and the transfers work for them. */
  provider: text<'gatewaypoa' | 'sdkvendor'>(),
  /** Our payment's id, one sequence for all tenants. Null when sdkvendor's order does not name one of our payments. */
  payment_id: bigint().nullable(),
  ...{ amount: numeric(), payee_name: text(), upi_uri: text().bySteps() },
  /** The VPA of a collect request; null when the payer scans or opens the URI. */
  vpa: text().nullable().bySteps(),
  expires_at: timestamptz().bySteps(),
  status: text<'awaiting_payer' | 'captured' | 'declined' | 'cancelled'>().bySteps(),
  provider_reference: text().nullable().bySteps(),
  failure_code: text<PaymentFailureCode>().nullable().bySteps(),
  failure_message: text().nullable().bySteps(),
  /** The code with which a test has the transfer of this money rejected. */
  transfer_refusal: text().nullable().bySteps(),
  /** The money came from an account that is not the payer's registered account. */
  third_party: boolean().bySteps(),
  /** How often the payer has paid. */
  captures: integer().bySteps(),
  /** The first capture, once there is a second one; `provider_reference` is the second one then. */
  first_reference: text().nullable().bySteps(),
});

/** The money of one payment on its way to the simulated order gateway. */
const transfers = defineTable('transfers', {
  ...{ ...reference, payment_reference: text(), shares: jsonb<gatewaypoaWire.TransferRequest['shares']>() },
  status: text<'processing' | 'settled' | 'rejected'>().bySteps(),
  failure_code: text().nullable().bySteps(),
});

/** A refund to the investor; amount in rupees. */
const refunds = defineTable('refunds', {
  ...{ ...reference, payment_reference: text(), amount: numeric() },
  status: text<'processing' | 'processed' | 'failed'>().bySteps(),
  failure_code: text().nullable().bySteps(),
});

/** A mandate at the simulated provider, from its authorisation on. `max_amount` is in rupees; both dates are in IST and inclusive. */
const mandates = defineTable('provider_mandates', {
  /** The reference of the authorisation, which has a row among the provider's payments. */
  ...reference,
  ...{ number: bigint().aside(), provider: text<'gatewaypoa' | 'sdkvendor'>() },
  /** Our mandate's id, one sequence for all tenants. Null when sdkvendor's order does not name one of our mandates. */
  mandate_id: bigint().nullable(),
  ...{
    mandate_type: text<'UPI' | 'E_MANDATE'>(),
    max_amount: numeric().bySteps(),
    valid_from: text(),
    valid_to: text().bySteps(),
  },
  status: text<
    'unauthorised' | 'received' | 'submitted' | 'active' | 'paused' | 'cancelled' | 'rejected'
  >().bySteps(),
  /** Drawn when the investor authorises it. */
  ...{ token: text().nullable().bySteps(), umrn: text().nullable().bySteps() },
  /** Razorpay's. */
  customer_id: text().nullable(),
  /** The token was deleted at Razorpay, which no longer returns it. */
  deleted: boolean().bySteps(),
});

/** A pre-debit notice that was sent to the investor's app; amount in rupees. At Razorpay, it is identified by its order's id. */
const notices = defineTable('debit_notices', {
  notice_reference: text().primary(),
  /** The call's idempotency key. */
  reference: text(),
  ...{ payment_reference: text(), mandate_token: text(), tenant: text(), amount: numeric() },
  ...{ execute_at: timestamptz(), sent_at: timestamptz(), withdrawn: boolean().bySteps() },
  /** The payer has refused this debit, and keeps the mandate. */
  opted_out: boolean().bySteps(),
  /** What the payer reads besides; at Razorpay it is in the order's notes. */
  ...{ merchant: text().nullable(), mandate_ref: text().nullable(), reason: text().nullable() },
});

/** One attempt to debit a mandate of gatewaypoa; amount in rupees. Attempts at Razorpay are its payments. */
const debits = defineTable('provider_debits', {
  ...{ ...reference, number: bigint().aside(), payment_reference: text(), mandate_token: text() },
  ...{ notice_reference: text().nullable(), amount: numeric(), attempt: integer() },
  /** `refused`: rejected at the request, so no attempt was started. */
  status: text<'processing' | 'captured' | 'failed' | 'refused'>().bySteps(),
  provider_reference: text().nullable().bySteps(),
  ...{ failure_code: text().nullable().bySteps(), failure_message: text().nullable().bySteps() },
});

/** A callback of a simulated system. `not_before` is business time. */
const callbacks = defineTable('callbacks', {
  ...{ id: bigint().primary().aside(), event_id: text(), tenant: text() },
  /** gatewaypoa's four, or sdkvendor's webhooks. */
  topic: text<'orders' | 'payments' | 'mandates' | 'plans' | 'sdkvendor'>(),
  ...{ reference: text(), body: text(), fault: text<FaultKind>().nullable(), created_at: timestamptz() },
  ...{ not_before: timestamptz().bySteps(), ended_at: timestamptz().nullable().bySteps() },
  ended: text<'delivered' | 'dropped' | 'given_up'>().nullable().bySteps(),
});

/** An order of the simulated Razorpay; amount in rupees. `reference` is its row among the provider's payments. */
const sdkOrders = defineTable('sdk_orders', {
  ...{ ...razorpay, reference: text(), receipt: text().nullable(), amount: numeric(), currency: text() },
  notes: jsonb<Notes>(),
  /** The method that authorises the mandate; null for a payment. */
  method: text().nullable(),
  /** True when this receipt already has an order for the debit. The simulate routes act on the first order. */
  repeats: boolean(),
});

/** An attempt to pay an order of the simulated Razorpay; amount in rupees. */
const attempts = defineTable('sdk_payments', {
  ...{ ...razorpay, order_id: text(), amount: numeric(), currency: text(), notes: jsonb<Notes>() },
  method: text<'upi' | 'netbanking' | 'emandate'>(),
  ...{ bank: text().nullable(), vpa: text().nullable(), email: text().nullable() },
  contact: text().nullable(),
  /** The URL to which the bank's page returns the investor's browser. */
  callback_url: text().nullable(),
  status: text<'created' | 'captured' | 'failed'>().bySteps(),
  ...{ error_reason: text().nullable().bySteps(), error_description: text().nullable().bySteps() },
});

/** A refund of an attempt; amount in rupees. */
const sdkRefunds = defineTable('sdk_refunds', {
  ...{ ...razorpay, payment_id: text(), amount: numeric(), receipt: text().nullable() },
  ...{ idempotency_key: text().nullable(), notes: jsonb<Notes>() },
  status: text<'pending' | 'processed' | 'failed'>().bySteps(),
});

/** A customer of the simulated Razorpay, identified by e-mail and phone number together. */
const customers = defineTable('sdk_customers', {
  ...{ id: text().primary(), number: bigint().aside(), name: text().nullable(), email: text().nullable() },
  ...{ contact: text().nullable(), notes: jsonb<Notes>(), created_at: timestamptz() },
});

/** The requested moves of the sandbox clock. `ended_at` and `created_at` are wall time. */
const clockMoves = defineTable('clock_moves', {
  ...{ id: text().primary(), place: bigint().aside(), tenant: text(), created_at: timestamptz() },
  ...{ idempotency_key: text().nullable(), request: text(), target: timestamptz() },
  ...{ ended_at: timestamptz().nullable().bySteps(), failure: text().nullable().bySteps() },
});

/** An order with the facts that decide its status. */
export interface OrderFacts {
  readonly paid: boolean;
  readonly attempts: number;
  readonly notified_token: string | null;
  readonly notified_for: Date | null;
}

/** An attempt with its refunded amount, and its mandate and customer (null unless it authorises one). */
export interface AttemptFacts {
  readonly refunded: Decimal;
  readonly token_id: string | null;
  readonly customer_id: string | null;
}

/** All rows of the simulator, by the names that the code uses. */
export const store = {
  ...{ orders: new Rows(orders), plans: new Rows(plans), payments: new Rows(payments) },
  ...{ transfers: new Rows(transfers), refunds: new Rows(refunds), mandates: new Rows(mandates) },
  ...{ notices: new Rows(notices), debits: new Rows(debits), callbacks: new Rows(callbacks) },
  sdkOrders: new Rows(sdkOrders).reading<OrderFacts>(`SELECT t.*, p.status = 'captured' AS paid,
     (SELECT count(*) FROM sdk_payments a WHERE a.order_id = t.id) AS attempts,
     n.mandate_token AS notified_token, n.execute_at AS notified_for
     FROM sdk_orders t JOIN provider_payments p ON p.reference = t.reference
     LEFT JOIN debit_notices n ON n.notice_reference = t.id`),
  attempts: new Rows(attempts).reading<AttemptFacts>(`SELECT t.*, coalesce((SELECT sum(r.amount)
     FROM sdk_refunds r WHERE r.payment_id = t.id AND r.status <> 'failed'), 0)::numeric(22,4) AS refunded,
     m.token AS token_id, m.customer_id FROM sdk_payments t
     JOIN sdk_orders o ON o.id = t.order_id LEFT JOIN provider_mandates m ON m.reference = o.reference`),
  ...{ sdkRefunds: new Rows(sdkRefunds), customers: new Rows(customers), clockMoves: new Rows(clockMoves) },
};

/** A row of one of these tables, as the code creates it: `StoreRow<'debits'>`. */
export type StoreRow<Name extends keyof typeof store> = (typeof store)[Name]['row'];
