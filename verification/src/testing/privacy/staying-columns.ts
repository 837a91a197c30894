import type { ServiceName } from '@fundrail/contracts';

/** Tables with their columns, separated by spaces. */
type Staying = Readonly<Record<string, string>>;

/**
 * The columns of every service that stay when a person is erased, although their type could hold something personal. Each was looked at: it
 * says nothing about a person, or its rows go by themselves within a day (docs/retention.md).
 */
export const STAYING_EVERYWHERE: Staying = {
  business_clock: 'used_as',
  due_work: 'key kind lease_token tenant traceparent',
  hashing_secrets: 'name secret_encrypted',
  idempotency_keys: 'body holder key request_hash resource_id tenant',
  inbox: 'consumer_group event_id',
  reconciliation_findings: 'check_name facts kind object state tenant',
  reconciliation_run: 'check_name cursor phase undone',
  reconciliation_seen: 'check_name key',
};

/** Those of each service. A new column belongs here, or into the service's `personal.tables.ts`. */
export const STAYING: Readonly<Partial<Record<ServiceName, Staying>>> = {
  identity: {
    audit_entries: 'acted_in client_id method path request_id tenant',
    bank_accounts: 'bank_code bank_name id ifsc_code profile tenant type',
    clients: 'client_id scope secret_hash tenant',
    erasures: 'due_on erased id kept profile state tenant',
    investor_profiles: 'erasure id tax_status tenant',
    mf_investment_accounts: 'holding_pattern id payout_bank_account primary_investor tenant',
    rate_buckets: 'key kind',
    sandbox_seed: 'facts',
    sign_ins: 'key',
    signing_keys: 'algorithm kid private_jwk_encrypted public_jwk',
    tenant_logos: 'media_type sha256 tenant',
    tenants: 'id name postback_secret_encrypted settings',
  },
  orders: {
    gateway_events: 'event_id reference',
    holiday_copies: 'days',
    installment_draws: 'key plan redemption tenant',
    mf_order_history: 'failure_code from_state tenant to_state trigger',
    mf_orders:
      'euin failure_code folio_number gateway id initiated_by initiated_via investor_profile kind mf_investment_account order_reference partner payout_due_date payout_reference plan retried_as scheduled_on scheme scheme_category server_ip source_ref_id state tenant traded_on type',
  },
  payments: {
    asked_now: 'tenant',
    authorisations: 'state tenant',
    captures: 'currency provider_name provider_reference tenant',
    checkout_attempts: 'address failure_code tenant way',
    checkouts: 'bank_code customer_id ending mf_investment_account order_id session_hash state tenant',
    debit_attempts: 'failure_code never reference tenant',
    debit_pace: 'provider_name',
    debits:
      'mandate_token mandate_type mf_investment_account notice_proof notice_reference provider_id tenant umrn',
    holiday_copies: 'days',
    mandate_tokens: 'mandate_token provider_name tenant',
    order_debits: 'order_id refused_code refused_message tenant',
    order_states: 'order_id state tenant',
    payment_count_deltas: 'day payment_type status tenant',
    payment_counts: 'day payment_type status tenant',
    payment_history: 'from_status tenant to_status trigger',
    payment_ids: 'kind',
    payment_orders: 'order_id scheme scheme_category tenant',
    payments:
      'debit_date failure_code method payment_type provider_name source_ref_id status tenant transfer_reference',
    provider_calls: 'call detail outcome reference tenant',
    provider_events: 'event_id ignored_because provider_name reference',
    refunds: 'amc_order_ids failure_code reason reference returned_by status tenant',
    upi_requests: 'ending mf_investment_account state tenant',
  },
  mandates: {
    asked_now: 'tenant',
    debit_attempts: 'failure_code provider_reference reference state tenant',
    debit_pace: 'provider_name',
    holiday_copies: 'days',
    mandate_debits:
      'debit_date failure_code first_on mf_investment_account notice_merchant notice_proof notice_reference state stop_code tenant',
    mandate_history: 'from_status tenant to_status trigger',
    mandate_permits: 'needs_state step tenant',
    mandate_provider_events: 'event_id mandate_token provider_name state',
    mandate_revocations: 'mandate_token mandate_type provider_id provider_name reason tenant umrn',
    mandates:
      'investor_profile mandate_ref mandate_status mandate_token mandate_type provider_id provider_name rejected_reason source_ref_id tenant umrn valid_from valid_to',
    provider_calls: 'call detail outcome reference tenant',
  },
  plans: {
    business_calendar: 'day moved',
    gateway_events: 'event_id reference',
    holiday_years: 'source',
    holidays: 'day',
    plan_courses:
      'first_by_day folio_number frequency kind next_date next_nominal plan_id previous_date step_up_frequency step_up_type tenant',
    plan_installments: 'date nominal_date outcome plan_id redemption state tenant',
    redemption_plan_history: 'from_state plan_id tenant terms to_state trigger',
    redemption_plans:
      'cancellation_code end_date euin folio_number frequency gateway id initiated_by initiated_via installment_head investor_profile kind mf_investment_account partner payment_method purchase_ref_id purpose scheme server_ip source_ref_id start_date state tenant',
    skip_instructions: 'from_date id last_day plan_id tenant to_date',
  },
  webhooks: {
    endpoint_challenges: 'host id tenant webhook',
    endpoint_paces: 'webhook',
    notification_webhooks:
      'challenge compatibility disabled_reason events id old_secrets secret_encrypted status tenant url verification verification_error',
    past_attempts: 'delivery error tenant url',
    past_deliveries: 'event failure_code id status tenant webhook',
    past_events: 'id object_id subject tenant type',
    webhook_replays: 'events id last_event status tenant types webhook',
  },
};
