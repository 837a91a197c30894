import { moment } from './moment.ts';

const GROWTH = 'By how much the amount grows: rupees, or 1 to 100 per cent';

/** Of plans, events and webhooks. */
export const PLAN_FIELDS: Readonly<Record<string, string>> = {
  // Plans.
  systematic: 'Always true: a plan is systematic',
  frequency: 'How often the plan has an installment',
  'StepUp.frequency': 'How often the amount grows',
  'step_up.frequency': 'How often the amount grows',
  installment_day:
    'The day of the month from 1 to 28, or of the week from 1 (Monday) to 5; null for a daily plan. Holidays move it to the next business day',
  number_of_installments: 'How many installments the plan has in all',
  remaining_installments:
    'How many installments are to come: in a plan those not generated, in a skip those of its range',
  skipped_installments: 'How many installments the instruction has skipped',
  generate_first_installment_now:
    'Whether the first installment is generated as soon as the plan is active. Default: false',
  auto_generate_installments:
    'Whether installments are generated on their dates by themselves. Default: true',
  payment_method:
    '`mandate` to collect each installment by a mandate; then `payment_source` is required. Null without',
  payment_source: 'The id of the mandate that collects the installments; null without',
  purpose: 'What the investor saves for; null when it was not sent',
  step_up: 'How the amount grows; null when it does not',
  'PatchMfPurchasePlan.step_up': 'How the amount grows from now on; null ends the growth',
  'PatchOneMfPurchasePlan.step_up': 'How the amount grows from now on; null ends the growth',
  'StepUp.type': 'Whether `value` is rupees or per cent',
  'step_up.type': 'Whether `value` is rupees or per cent',
  'StepUp.value': GROWTH,
  'step_up.value': GROWTH,
  max_amount: 'The amount in rupees at which the growth ends; null for no such amount',
  'CreateMfRedemptionPlan.amount': 'What each installment redeems, in rupees; or send `units`',
  'CreateMfRedemptionPlan.units': 'How many units each installment redeems; or send `amount`',
  'MfRedemptionPlan.amount': 'What each installment redeems, in rupees; null when `units` is set',
  'MfRedemptionPlan.units': 'How many units each installment redeems; null when `amount` is set',
  'CreateMfPurchasePlan.amount': 'What the first installment buys for',
  'MfPurchasePlan.amount': 'What the last installment made bought for, in rupees; before, the first',
  'PatchMfPurchasePlan.amount': 'What each installment that is to come buys for',
  'PatchOneMfPurchasePlan.amount': 'What each installment that is to come buys for',
  next_installment_amount: 'What the next installment buys for, in rupees; null when none is to come',
  held_step_up:
    "The step-up that the mandate's limit holds back from the next installment; null when none is held back",
  'HeldStepUp.amount': 'What the next installment would buy for with the step-up, in rupees',
  'HeldStepUp.mandate_limit': 'The most that one debit of the mandate may take, in rupees',
  start_date: 'The nominal date of the first installment (IST); null until the plan is active',
  end_date: 'The nominal date of the last installment (IST); null until the plan is active',
  next_installment_date: 'The business day of the next installment (IST); null when none is to come',
  previous_installment_date: 'The business day of the last installment (IST); null before the first',
  paused_until: 'The last day of the skip that holds the next date (IST); null without one',
  consecutive_failed_installments:
    'How many installments in a row were not paid, since the last that succeeded',
  auto_cancelled: 'Whether the plan ended by itself, because its installments were not paid',
  cancellation_code: 'Why the plan is cancelled; null while it is not',
  cancellation_reason: 'The reason in words, at most 500 characters; required with `custom_reason`',
  reason: 'The reason in words or as a code; null without one',
  'MfRedemptionPlan.reason':
    "The caller's reason for a cancellation, or the gateway's for a failure; before that, why the mandate cannot collect. Null without one",
  'MfPurchasePlan.reason':
    "The caller's reason for a cancellation, or the gateway's for a failure; before that, why the mandate cannot collect. Null without one",
  calendar_warning:
    'A sentence while the holidays of a year with installments are not known; until then only weekends and fixed national holidays count. Null without a doubt',
  activated_at: moment('the plan became active'),
  completed_at: moment('its last part was done'),
  'CreateSkipInstruction.from': 'The first day whose installments are skipped (IST), tomorrow or later',
  'CreateMfPurchasePlanSkip.from': 'The first day whose installments are skipped (IST), tomorrow or later',
  'CreateSkipInstruction.to':
    'The last day whose installments are skipped (IST). Without it they are skipped until the instruction is cancelled',
  'CreateMfPurchasePlanSkip.to': 'The last day whose installments are skipped (IST)',
  'SkipInstruction.from': 'The first day whose installments are skipped (IST)',
  'MfPurchasePlanSkip.from': 'The first day whose installments are skipped (IST)',
  'SkipInstruction.to':
    'The last day whose installments are skipped (IST); null until the instruction is cancelled',
  'MfPurchasePlanSkip.to': 'The last day whose installments are skipped (IST)',
  installments: 'How many of the next installments to skip',

  // Events and webhooks.
  time: 'When the event happened, in IST',
  previous_attributes: 'The fields that the event changed, with the values from before; null for a creation',
  'data.object': 'The object as it was at that time',
  url: 'The address that events are sent to: https, or http to localhost in the sandbox',
  'DeliveryAttempt.url':
    'The address that the attempt was sent to; null in attempts from before it was recorded',
  events: 'The types of events, or patterns such as `mf_purchase.*` and `*`',
  event: 'The one type or pattern, instead of `events`; null when there are several',
  'WebhookDelivery.event': 'The id of the event that is delivered',
  'WebhookDelivery.type': 'The type of the event',
  'WebhookDelivery.failure_code': 'Why the delivery failed; null while it has not',
  webhook: 'The endpoint (`nwh_…`)',
  attempts: 'How many calls were sent; null where none was recorded',
  'WebhookDelivery.attempts': 'What was sent so far, oldest first',
  next_attempt_at: 'When it is sent next, in IST; null when no attempt is planned',
  webhook_timestamp:
    'The `webhook-timestamp` that was signed, in seconds since 1970; null in attempts from before it was recorded',
  duration_ms: 'How long the attempt took, in milliseconds',
  response_body: 'The first 4 kB of the response; null without one',
  'DeliveryAttempt.status': 'The HTTP status of the response; null without one',
  'DeliveryAttempt.error': 'Why there was no response; null when there was one',
  'DeliveryAttempt.at': 'When the attempt was made, in IST',
  'CreateNotificationWebhook.status': 'Whether events are sent to it. Default: `enabled`',
  'ChangeNotificationWebhook.status': 'Whether events are sent to it',
  'NotificationWebhook.status': 'Whether events are sent to it',
  'CreatedNotificationWebhook.status': 'Whether events are sent to it',
  compatibility: 'Whose names clients receive: `upstream`, those of the upstream interface; null, ours',
  verification:
    'Whether the endpoint has proved that it wants events. None are sent while it is `pending_verification` or `verification_failed`',
  verification_error: 'Why the last challenge failed; null when none failed, or a later one succeeded',
  disabled_at: moment('it was disabled'),
  disabled_reason: 'Why it was disabled; null while it is enabled',
  secret:
    'The secret that signs the webhooks: `whsec_` and 32 bytes in base64. Only in the first response; in a repeated one null',
  secret_notice: 'Why the secret is missing. Only in a response that is repeated for an `Idempotency-Key`',
  matched: 'How many events the replay found when it was created',
  sent: 'How many of its deliveries succeeded',
  failed: 'How many of its deliveries failed',
  'CreateWebhookReplay.from': 'The first moment of the events',
  'CreateWebhookReplay.to': 'The last moment of the events',
  'WebhookReplay.from': 'The first moment of the events, in IST',
  'WebhookReplay.to': 'The last moment of the events, in IST',
  deleted: 'Always true: the object is deleted',
};
