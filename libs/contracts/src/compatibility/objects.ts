import { FURTHER_PROFILE_FIELDS } from '../investor-profile.dto.ts';
import { FURTHER_DEFAULTS } from '../mf-investment-account.dto.ts';
import { EVENT_PATTERNS } from '../notification-webhook.dto.ts';

/** How an object of that kind differs in the upstream's answers (COMP-6). */
export interface ObjectRules {
  /** By field, the upstream's value for each of ours that differs. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Fields that the upstream has and we do not, each with the value that answers have. */
  readonly added: Readonly<Record<string, string | null>>;
}

/** One sentence for each event type of an endpoint that we do not have, so that it waits for it in vain (COMP-8). */
export function endpointWarnings(events: unknown): readonly string[] {
  const types: readonly unknown[] = Array.isArray(events) ? events : [];
  return types
    .filter((type): type is string => typeof type === 'string' && !EVENT_PATTERNS.includes(type))
    .map((type) => `${type} is not an event type here: no such event is sent.`);
}

/** By the `object` of an answer or of an event's object. */
export const OBJECTS = {
  mf_purchase: {
    values: { type: { fresh: 'purchase', additional: 'additional_purchase' } },
    added: { server_ip: null, allotted_nav_date: null, retried_at: null },
  },
  mf_redemption: {
    values: {},
    added: {
      server_ip: null,
      redeemed_nav_date: null,
      retried_at: null,
      redemption_mode: 'normal',
      redemption_bank_account_number: null,
      redemption_bank_account_ifsc_code: null,
    },
  },
  mf_redemption_plan: {
    values: {},
    added: {
      server_ip: null,
      initiated_by: null,
      initiated_via: null,
      purpose: null,
      requested_activation_date: null,
      cancellation_scheduled_on: null,
      auto_cancelled: null,
    },
  },
  mf_purchase_plan: {
    values: {},
    added: {
      server_ip: null,
      requested_activation_date: null,
      cancellation_scheduled_on: null,
    },
  },
  mf_folio: {
    values: {},
    added: {
      amc: null,
      dp_id: null,
      client_id: null,
      primary_investor_pan: null,
      secondary_investor_pan: null,
      third_investor_pan: null,
      primary_investor_name: null,
      payout_details: null,
      email_addresses: null,
      mobile_numbers: null,
    },
  },
  investor_profile: { values: {}, added: FURTHER_PROFILE_FIELDS },
  payment: { values: { failure_code: { payment_expired: 'fp_payment_expired' } }, added: {} },
} as const satisfies Readonly<Record<string, ObjectRules>>;

/** Fields that the upstream has inside the object of that field and we do not, null where they are not set (COMP-12). */
export const INSIDE: Readonly<Record<string, readonly string[]>> = { folio_defaults: FURTHER_DEFAULTS };

/** By field, our value for each of the upstream's. No field has one value for two of ours. */
export const THEIR_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  Object.values<ObjectRules>(OBJECTS).flatMap(({ values }) =>
    Object.entries(values).map(([field, names]) => [
      field,
      Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours])),
    ]),
  ),
);
