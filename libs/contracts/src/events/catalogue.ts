import { z } from 'zod';
import { holidayYear } from '../holidays.dto.ts';
import { debitFact, handedDebit, mandateDebit } from '../internal/debit-events.dto.ts';
import { planInstallment, purchaseInstallment } from '../internal/installments.dto.ts';
import { authorisationFact, mandateFact } from '../internal/mandate-events.dto.ts';
import { mandate } from '../mandate.dto.ts';
import { mfPurchasePlan } from '../mf-purchase-plan.dto.ts';
import { mfPurchase } from '../mf-purchase.dto.ts';
import { mfRedemptionPlan } from '../mf-redemption-plan.dto.ts';
import { mfRedemption } from '../mf-redemption.dto.ts';
import { notificationWebhook } from '../notification-webhook-object.dto.ts';
import { payment } from '../payment.dto.ts';

/** One event type: the schema of `data.object`, its version, and whether clients may receive it. */
interface EventDeclaration<S extends z.ZodType = z.ZodType> {
  readonly object: S;
  readonly version: number;
  readonly public: boolean;
  /** One sentence for `docs/events.md`. */
  readonly when: string;
}

function declare<S extends z.ZodType>(
  object: S,
  when: string,
  visibility: 'public' | 'internal' = 'public',
): EventDeclaration<S> {
  return { object, version: 1, public: visibility === 'public', when };
}

/** The endpoint as GET returns it. Stored events of an older version, which may be sent again, have only the four fields. */
const webhookNotice = notificationWebhook
  .partial({
    event: true,
    events: true,
    verification: true,
    verification_error: true,
    created_at: true,
    updated_at: true,
    disabled_at: true,
    disabled_reason: true,
  })
  .extend({ id: z.string() })
  .meta({ id: 'WebhookNotice' });

/** Every event, declared once (EVT-1). The bus parks events of other types. */
export const EVENTS = {
  'mf_purchase.created': declare(
    mfPurchase,
    'a purchase order was created and sent to the gateway for review',
  ),
  'mf_purchase.review_completed': declare(
    mfPurchase,
    "the gateway's review passed; collect the investor's consent now",
  ),
  'mf_purchase.consent_recorded': declare(mfPurchase, "the investor's consent was recorded", 'internal'),
  'mf_purchase.confirmed': declare(
    mfPurchase,
    'the order was confirmed and will be submitted to the gateway',
  ),
  'mf_purchase.submitted': declare(mfPurchase, 'the gateway accepted the order'),
  'mf_purchase.successful': declare(mfPurchase, 'the registrar processed the order'),
  'mf_purchase.failed': declare(mfPurchase, 'the order failed; failure_code states the reason'),
  'mf_purchase.cancelled': declare(mfPurchase, 'the order was cancelled before its confirmation'),
  'mf_purchase.reversed': declare(mfPurchase, 'the gateway reported that a successful order was reversed'),
  'mf_redemption.created': declare(
    mfRedemption,
    "a redemption order was created, or a plan's installment was generated, and was sent to the gateway for review",
  ),
  'mf_redemption.review_completed': declare(
    mfRedemption,
    "the gateway's review passed; collect the investor's consent now, unless it is a plan's installment",
  ),
  'mf_redemption.consent_recorded': declare(mfRedemption, "the investor's consent was recorded", 'internal'),
  'mf_redemption.confirmed': declare(
    mfRedemption,
    'the order was confirmed; it will be submitted to the gateway, after its money is collected if its plan collects by mandate',
  ),
  'mf_redemption.submitted': declare(mfRedemption, 'the gateway accepted the order'),
  'mf_redemption.successful': declare(mfRedemption, 'the registrar redeemed the units'),
  'mf_redemption.failed': declare(mfRedemption, 'the order failed; failure_code states the reason'),
  'mf_redemption.cancelled': declare(
    mfRedemption,
    "the order was cancelled before its confirmation, or it is a plan's skipped installment",
  ),
  'mf_redemption.reversed': declare(
    mfRedemption,
    'the gateway reported that a successful order was reversed',
  ),
  'mf_redemption.paid_out': declare(
    mfRedemption,
    'the proceeds of a successful redemption were paid to the investor; payout_reference is the reference of the bank',
  ),
  'mf_redemption.collection_returned': declare(
    mfRedemption,
    'the money that a mandate paid for a submitted or successful installment was refunded to the investor; its payment states the reason',
  ),
  'payment.pending': declare(payment, 'a payment was created'),
  'payment.updated': declare(
    payment,
    'the UPI URI was issued, the status changed, or a late success or refund was recorded',
  ),
  'payment.submitted': declare(payment, 'a mandate debit was accepted by the provider'),
  'payment.success': declare(payment, "the investor's money was received"),
  'payment.failed': declare(payment, 'the payment failed; failure_code states the reason'),
  'payment.initiated': declare(payment, 'the transfer of the money to the order gateway was started'),
  'payment.approved': declare(payment, 'the transfer was settled'),
  'payment.rejected': declare(payment, 'the transfer was rejected and a refund was started'),
  'payment.mandate_fact': declare(
    authorisationFact,
    "an authorisation's provider reported the state of its mandate",
    'internal',
  ),
  'payment.debit_fact': declare(
    debitFact,
    'a debit was stored, its order became ready or ended, or its provider reported on it',
    'internal',
  ),
  'payment.debit_handed_over': declare(
    handedDebit,
    'a debit that release 0.1 began is carried out by mandates from now on',
    'internal',
  ),
  'mandate.created': declare(mandate, 'a mandate was created; the investor can authorise it'),
  'mandate.received': declare(mandate, 'the investor agreed, and the provider has the mandate'),
  'mandate.submitted': declare(mandate, 'the bank has the mandate, and may take days'),
  'mandate.approved': declare(mandate, 'the mandate was authorised; debits may be made'),
  'mandate.rejected': declare(mandate, 'the bank refused the mandate; rejected_reason states the reason'),
  'mandate.paused': declare(mandate, 'the investor paused the mandate; no debit is made'),
  'mandate.resumed': declare(mandate, 'the investor resumed the mandate'),
  'mandate.modified': declare(
    mandate,
    'the investor changed the limit or the last day of the mandate at its issuer',
  ),
  'mandate.cancelled': declare(mandate, 'the mandate was cancelled here or revoked at the provider'),
  'mandate.expired': declare(mandate, "the last day of the mandate's validity has passed"),
  'mandate_fact.received': declare(
    mandateFact,
    'a provider reported to payments that a mandate was paused, resumed or ended',
    'internal',
  ),
  'mandate_debit.planned': declare(mandateDebit, 'a debit was planned for another day', 'internal'),
  'mandate_debit.submitted': declare(mandateDebit, 'the provider accepted an attempt of a debit', 'internal'),
  'mandate_debit.succeeded': declare(
    mandateDebit,
    'a debit brought money, in time, late or twice',
    'internal',
  ),
  'mandate_debit.failed': declare(mandateDebit, 'a debit failed; failure_code states the reason', 'internal'),
  'mandate_debit.cancelled': declare(mandateDebit, 'the client cancelled a debit', 'internal'),
  'mf_redemption_plan.created': declare(
    mfRedemptionPlan,
    'a redemption plan was created and sent to the gateway for review',
  ),
  'mf_redemption_plan.review_completed': declare(
    mfRedemptionPlan,
    "the gateway's review passed; collect the investor's consent now, unless the plan has it",
  ),
  'mf_redemption_plan.confirmed': declare(
    mfRedemptionPlan,
    'the plan was confirmed and will be submitted to the gateway',
  ),
  'mf_redemption_plan.submitted': declare(mfRedemptionPlan, 'the plan was submitted to the gateway'),
  'mf_redemption_plan.activated': declare(
    mfRedemptionPlan,
    'the gateway accepted the plan; its first installment has a date',
  ),
  'mf_redemption_plan.completed': declare(mfRedemptionPlan, 'the last installment of the plan has ended'),
  'mf_redemption_plan.cancelled': declare(
    mfRedemptionPlan,
    'the plan was cancelled; installments that it has already generated continue',
  ),
  'mf_redemption_plan.failed': declare(mfRedemptionPlan, 'the gateway refused the plan; reason states why'),
  'mf_redemption_plan.mandate_unusable': declare(
    mfRedemptionPlan,
    "the plan's mandate cannot collect its next installment: it was cancelled, paused or expired, or its limit is below the amount; reason states which",
  ),
  'mf_redemption_plan.installment_generated': declare(
    planInstallment,
    'an installment of a plan is due; orders creates its redemption',
    'internal',
  ),
  'mf_purchase_plan.created': declare(
    mfPurchasePlan,
    'a purchase plan was created and sent to the gateway for review',
  ),
  'mf_purchase_plan.review_completed': declare(
    mfPurchasePlan,
    "the gateway's review passed; collect the investor's consent now, unless the plan has it",
  ),
  'mf_purchase_plan.confirmed': declare(
    mfPurchasePlan,
    'the plan was confirmed and will be submitted to the gateway',
  ),
  'mf_purchase_plan.submitted': declare(mfPurchasePlan, 'the plan was submitted to the gateway'),
  'mf_purchase_plan.activated': declare(
    mfPurchasePlan,
    'the gateway accepted the plan; its first installment has a date',
  ),
  'mf_purchase_plan.completed': declare(mfPurchasePlan, 'the last installment of the plan has ended'),
  'mf_purchase_plan.cancelled': declare(
    mfPurchasePlan,
    'the plan was cancelled, by the client or because too many installments in a row were not paid; installments that it has already generated continue',
  ),
  'mf_purchase_plan.failed': declare(mfPurchasePlan, 'the gateway refused the plan; reason states why'),
  'mf_purchase_plan.updated': declare(
    mfPurchasePlan,
    'the amount, the step-up, the mandate or the folio of the plan changed, for installments not generated yet',
  ),
  'mf_purchase_plan.paused': declare(mfPurchasePlan, 'a skip instruction was created for the plan'),
  'mf_purchase_plan.resumed': declare(mfPurchasePlan, 'a skip instruction of the plan was cancelled'),
  'mf_purchase_plan.installment_failed': declare(
    mfPurchasePlan,
    'an installment was not paid by the last moment; inform the investor',
  ),
  'mf_purchase_plan.step_up_held': declare(
    mfPurchasePlan,
    "the next step-up is not taken, because the amount would be above the mandate's limit; held_step_up states both",
  ),
  'mf_purchase_plan.mandate_unusable': declare(
    mfPurchasePlan,
    "the plan's mandate cannot collect its next installment: it was cancelled, paused or expired, or its limit is below the amount; reason states which",
  ),
  'mf_purchase_plan.installment_generated': declare(
    purchaseInstallment,
    'an installment of a purchase plan is due; orders creates its purchase',
    'internal',
  ),
  'holiday_year.replaced': declare(
    holidayYear,
    'an operator replaced a year of the holiday list; services that count business days store a copy',
    'internal',
  ),
  'notification_webhook.test': declare(webhookNotice, 'a test event was requested'),
  'notification_webhook.disabled': declare(
    webhookNotice,
    'an endpoint was disabled because it failed for too long or answered 410',
  ),
} as const;

export type EventType = keyof typeof EVENTS;
export type EventObject<K extends EventType> = z.output<(typeof EVENTS)[K]['object']>;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENTS, text);
}

/** The text of an event's `data`: the object as GET returns it, and the old values of the fields that changed (null on creation). */
export const eventData = <S extends z.ZodType>(object: S) =>
  z.strictObject({ object, previous_attributes: z.record(z.string(), z.unknown()).nullable() });
