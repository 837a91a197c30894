import { moment } from './moment.ts';

const MANDATE_LIMIT = 'The most that one debit may take, in rupees';

/** Of orders, consents, payments and mandates. */
export const ORDER_FIELDS: Readonly<Record<string, string>> = {
  // Orders.
  mf_investment_account: 'The investment account that the order, plan or folio belongs to (`mfia_…`)',
  scheme: 'The ISIN of the mutual fund scheme',
  schemes: 'The ISINs of the schemes of this folio that have a successful order',
  folio_number: 'The number of the folio. Null opens a new folio, or none is known yet',
  'CreateMfRedemption.folio_number': 'The number of the folio whose units are redeemed',
  'MfFolio.number': 'The number of the folio, as the registrar writes it',
  'CreateMfPurchase.amount': 'How much to buy for',
  'MfPurchase.amount': 'What the order buys for, in rupees',
  'CreateMfRedemption.amount':
    'How much to redeem, in rupees. Without `amount` and `units`, all units are redeemed',
  'MfRedemption.amount': 'How much is redeemed, in rupees; null when it is by units or all',
  'CreateMfRedemption.units': 'How many units to redeem; or send `amount`',
  'MfPurchase.units': 'Always null: a purchase is of an amount',
  'MfRedemption.units': 'How many units are redeemed; null when it is by amount or all',
  'MfPurchase.type': '`fresh` opens a folio, `additional` buys into an existing one',
  'MfRedemption.type':
    'What is redeemed: an `amount`, a number of `units`, or `all` units of the scheme in the folio',
  gateway: 'The order gateway; there is one',
  plan: 'The plan that the object belongs to; null for an order without a plan',
  'CreateInstallment.plan':
    'The plan whose next installment to generate, one with `auto_generate_installments: false`. The only field',
  installment_number: 'The number of the installment in its plan, from 1; null for an order without a plan',
  scheduled_on:
    'The business day that the order is for; null when it is for the day it is placed. A request cannot name a future day',
  traded_on: 'The date of the NAV that the order was traded at; null until it is successful',
  scheme_category: 'The category of the scheme, as the gateway reports it with its review; null before that',
  expected_nav_date:
    'The day whose NAV the order is expected to get, by the policy `nav_cut_off`; null while no category is known, and once the order failed or was cancelled',
  expected_nav_basis:
    '`funds_realised` once it is known when the money reached the scheme, before that `estimate`; null without an expected day',
  payout_due_date:
    'The last day on which the proceeds are in time, by the policy `redemption_payout`; follows the holiday list until the payout; null until the redemption is successful',
  paid_out_at: moment('the proceeds were paid to the investor'),
  payout_reference: "The bank's reference (UTR) of the payout; null while none is reported",
  payable_until: 'Until when an installment of a plan may be paid, in IST; null without a plan',
  allotted_units: 'The units that the registrar allotted; null until the order is successful',
  purchased_amount: 'The rupees that the units were bought for; null until the order is successful',
  purchased_price: 'The NAV of one unit in rupees; null until the order is successful',
  redeemed_units: 'The units that were redeemed; null until the order is successful',
  redeemed_amount: 'The rupees that the redemption is worth; null until the order is successful',
  redeemed_price: 'The NAV of one unit in rupees; null until the order is successful',
  retried_as: 'The purchase that a retry of this failed one created; null without a retry, and in events',
  payment_id: 'The payment that pays for the order; null without one',
  order_reference: 'The reference of the order at the gateway; null until it is submitted',
  failure_code: 'Why it failed, as a code; null while it has not failed',
  user_ip: "The IP address of the investor's device, IPv4 or IPv6; null when it was not sent",
  server_ip:
    'The IP address of your server. Accepted, and returned to clients of the upstream interface only',
  euin: "The number of the adviser's employee, `E` and six digits; null when it was not sent",
  partner: 'The partner who brought the order, at most 100 characters; null when it was not sent',
  initiated_by: 'Who placed the order or plan; null when it was not sent',
  initiated_via: 'Where the order or plan was placed; null when it was not sent',
  mf_purchases: 'The purchases, 1 to 10, all of one investment account. All succeed or none',
  mf_redemptions: 'The redemptions, 1 to 10, all of one investment account. All succeed or none',
  mf_purchase_plans: 'The purchase plans, 1 to 10, all of one investment account. All succeed or none',
  'PatchMfPurchase.state': '`confirmed` confirms the pending purchase; not together with `consent`',
  'PatchOneMfPurchase.state': '`confirmed` confirms the pending purchase; not together with `consent`',
  'PatchMfRedemption.state': '`confirmed` confirms the pending redemption',
  'PatchOneMfRedemption.state': '`confirmed` confirms the pending redemption',
  'PatchMfRedemptionPlan.state': '`confirmed` confirms the reviewed plan',
  'PatchOneMfRedemptionPlan.state': '`confirmed` confirms the reviewed plan',
  'PatchMfPurchasePlan.state': '`confirmed` confirms the reviewed plan',
  'PatchOneMfPurchasePlan.state': '`confirmed` confirms the reviewed plan',
  review_completed_at: moment('the gateway completed its review'),
  confirmed_at: moment('it was confirmed'),
  submitted_at: moment('it was submitted to the party that executes it'),
  succeeded_at: moment('it became successful'),
  failed_at: moment('it failed'),
  cancelled_at: moment('it was cancelled'),
  reversed_at: moment('the registrar reversed it'),

  // Consents.
  consent:
    "The investor's consent, with the contact that confirmed it: at least one of e-mail and mobile. Null while none is recorded",
  'consent.email':
    'The e-mail address that confirmed; must be that of the investment account. Null when it was not this contact',
  'consent.mobile':
    'The mobile number that confirmed, without the dialling code; must be that of the investment account. Null when it was not this contact',
  'consent.isd_code': 'The dialling code of the mobile number, such as `91`; null without a mobile number',
  evidence: 'The proof that the investor confirmed by an OTP. Absent where none was recorded',
  'ConsentEvidence.method': 'How the investor confirmed; always `otp`',
  channel:
    'The contact that the OTP was sent to: `sms` for the mobile number, `email` for the e-mail address',
  sent_at: 'When the OTP was sent; a timestamp with an offset',
  verified_at: 'When the investor entered the right OTP; not before `sent_at`, and not in the future',
  verified_by: 'Who checked the OTP',
  'ConsentEvidence.reference': 'The name of the check where it was made, never the OTP itself',

  // Payments.
  amc_order_ids: 'The orders, by their `old_id`',
  'CreatePayment.amc_order_ids':
    'The purchases to pay, 1 to 10, by their `old_id`; all of one investment account',
  'DebitMandate.amc_order_ids': 'The one order to pay, by its `old_id`',
  'RefundPayment.amc_order_ids':
    'The orders whose shares to refund, by their `old_id`. Default: all that is not refunded',
  'CreatePayment.method': '`UPI` or `NETBANKING`; left out, the investor chooses on the hosted page',
  method: 'How the investor pays, such as `UPI` or `NETBANKING`; null while it is not known',
  upi: 'The UPI request; null without UPI',
  'CreatePayment.upi': 'Asks by UPI without the hosted page; needs `method: UPI`',
  'AuthoriseMandate.upi': 'Asks by UPI without the hosted page; for UPI mandates only',
  'upi.type': 'How the investor is asked',
  vpa: 'The UPI ID that the request is sent to, such as `name@bank`; only for `collect`, otherwise null',
  uri: 'The UPI link for an app or a QR code. Null until all orders are submitted; empty for `collect`',
  payment_postback_url:
    "Where the investor's browser posts the result to: https, or http to localhost in the sandbox. Optional when the tenant has a `default_postback_url`",
  bank_account_id: 'The bank account by its `old_id`',
  'CreatePayment.bank_account_id':
    "The bank account to pay from, by its `old_id`. Default: the account's `payout_bank_account`",
  provider_name: 'The payment provider',
  'CreatePayment.provider_name': "The payment provider. Default: the tenant's",
  'CreateMandate.provider_name':
    "The payment provider. Default: the one that takes this type, or the tenant's",
  amc_order_id: 'The order to name, by its `old_id`; one of `amc_order_ids`',
  display_names:
    'Names of orders for the payment page, such as those of the schemes in your app; shown only there',
  'display_names.display_name': 'The name that the payment page shows',
  token_url:
    'The hosted payment page. It can be opened once, in one browser. Null or empty when UPI needs no page',
  sdk_options:
    "The options for the provider's SDK. Only while the payment can be started, and if the tenant has them enabled",
  payment_type:
    '`NETBANKING` for a payment of the investor, `NACH` for a debit, `AUTH_TRANSACTION` for the authorisation of a mandate',
  'Payment.status':
    'The state of the payment; docs/states.md has its transitions. `SUCCESS`: the money has come. `APPROVED`: it is transferred',
  'FetchedPayment.status':
    'The state of the payment; docs/states.md has its transitions. `SUCCESS`: the money has come. `APPROVED`: it is transferred',
  debit_date: 'The IST date of the creation; for a debit, the day it is planned for',
  failed_reason: 'Why the payment failed, as a sentence for the investor; null while it has not failed',
  debit_confirmed_at: moment('the money was received from the investor'),
  transfer_initiated_at: moment('the transfer to the order gateway was started'),
  settled_at: moment('the order gateway had the money'),
  rejected_at: moment('it was rejected'),
  from_bank_account_id: 'The bank account that pays, by its `old_id`. Money from another account is refunded',
  late_auth: 'Whether the investor paid after the payment had failed; the money goes back',
  refund_reference: 'The reference of the newest refund; null without one',
  refund_reason: 'The reason of the newest refund; null without one',
  refund_status: 'The state of the newest refund; null without one',
  refund_created_at: 'When the newest refund was created, in IST; null without one',
  refunds: 'All refunds of the payment',
  'Refund.reference': 'The reference of the refund at the payment provider',
  'Refund.amount': 'What is returned, in rupees',
  'Refund.reason': 'Why it is returned',
  'Refund.status': 'The state of the refund',
  'Refund.amc_order_ids': 'The orders whose shares are returned, by their `old_id`',
  'Payment.amount': 'The total of the orders in rupees; 0 for the authorisation of a mandate',
  'FetchedPayment.amount': 'The total of the orders in rupees; 0 for the authorisation of a mandate',
  returned_by: 'Who returns the money, where that is not the payment provider',
  'TracedRefund.returned_by': 'Who returns the money',
  'Payment.amc_order_ids': 'The orders that it pays, by their `old_id`',
  'FetchedPayment.amc_order_ids': 'The orders that it pays, by their `old_id`',
  payments: 'The payments of this page, in the order of the list',

  // Mandates.
  mandate_id: 'The mandate by its integer id; null without one',
  'AuthoriseMandate.mandate_id': 'The mandate to authorise, by its integer id',
  'DebitMandate.mandate_id': 'The mandate to debit, by its integer id; it must be approved',
  mandate_ref: 'The prefixed id of the mandate (`man_…`)',
  mandate_token: "The provider's token of the mandate; null while it has none",
  mandate_type: '`UPI` for UPI Autopay, `E_MANDATE` for a mandate that the bank debits through NACH',
  mandate_status: 'The state of the mandate; docs/states.md has its transitions',
  'CreateMandate.mandate_limit': MANDATE_LIMIT,
  'Mandate.mandate_limit': MANDATE_LIMIT,
  'CancelledMandate.mandate_limit': MANDATE_LIMIT,
  valid_from: 'The first day on which it may be debited (IST). Default: today',
  valid_to:
    'The last day on which it may be debited (IST). Default: the longest validity by the policy `mandate_validity`',
  'SimulateModification.valid_to': 'The new last day (IST)',
  'SimulateModification.mandate_limit': 'The new limit of one debit, in rupees',
  umrn: 'The unique mandate reference number of NPCI; null while it is not known',
  provider_id: 'The id of the mandate at the provider; null while it has none',
  rejected_reason: 'Why the mandate was rejected; null while it is not',
  received_at: moment('the mandate became `RECEIVED`'),
  approved_at: moment('the mandate became `APPROVED`'),
  paused_at: moment('the mandate was last paused'),
  expired_at: moment('the mandate expired'),
  debits_in_flight:
    'The payments whose debit was already sent to the bank, by their ids; they may still succeed',
  mandates: 'The mandates of this page, newest first',
};
