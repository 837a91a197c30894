import type { PolicyName } from '@fundrail/policies';
import type { TextFile } from './specification.ts';

/** A test beside the registry's own: its file, that of a service below `apps`, and its title or the beginning of it. */
interface Named {
  readonly file: string;
  readonly title: string;
}

/** Every policy is crossed here, in a test whose title begins with its name. */
export const REGISTRY_SPEC = 'libs/policies/src/policies.spec.ts';

const UPI = 'payments/src/collection/upi';
const DEBITS = 'verification/src/debits';

/** What shows that a policy decides where it is to: at the request, on the page, at the provider's call. */
export const POLICY_TESTS: Readonly<Record<PolicyName, readonly [Named, ...Named[]]>> = {
  upi_per_transaction_limit: [
    { file: `${UPI}/upi-limit.int.spec.ts`, title: 'the limit of one UPI payment (FLOW-13)' },
  ],
  upi_daily_limit: [
    {
      file: `${UPI}/upi-daily-limit.int.spec.ts`,
      title: "the limit of an account's UPI payments in 24 hours (FLOW-14)",
    },
  ],
  upi_collect: [
    {
      file: `${UPI}/collect.int.spec.ts`,
      title:
        'is judged at the call too: made before the ban, it fails after it, and no one is asked (FLOW-4)',
    },
  ],
  validated_upi_handle: [
    {
      file: 'payments/src/collection/authorisation/authorise-mandate.int.spec.ts',
      title: 'given the mode %s of validated_upi_handle and a URI to %s, then %i (FLOW-16)',
    },
    { file: `${UPI}/validated-handle.int.spec.ts`, title: 'is named where it is a validated handle' },
  ],
  autopay_afa_limit: [
    {
      file: 'mandates/src/mandate/mandate.int.spec.ts',
      title: 'refuses %j with the policy %s and its words',
    },
  ],
  autopay_windows: [
    {
      file: 'mandates/src/debit/debit-policy.spec.ts',
      title: 'begin and end to the millisecond (autopay_windows)',
    },
    { file: `${DEBITS}/debit-attempts.int.spec.ts`, title: 'retries three times in later windows' },
  ],
  pre_debit_notice: [
    {
      file: 'mandates/src/debit/debit-policy.spec.ts',
      title: 'an execution %i ms after the notice complies with the law',
    },
    { file: `${DEBITS}/notices.int.spec.ts`, title: 'has five facts' },
  ],
  debit_opt_out: [
    { file: `${DEBITS}/notices.int.spec.ts`, title: 'whose debit the payer refuses (debit_opt_out, DEB-21)' },
  ],
  mandate_modification: [
    {
      file: 'mandates/src/fact/modification.int.spec.ts',
      title: 'a mandate that its investor has changed (mandate_modification, MAN-26)',
    },
  ],
  mandate_validity: [
    { file: 'mandates/src/mandate/mandate.int.spec.ts', title: 'refuses %j with %i %s (MAN-3' },
  ],
  mandate_subscriptions_only: [
    {
      file: 'plans/src/mandate/checks.int.spec.ts',
      title: 'refuse a new plan where the operator chose that mandates serve subscriptions only',
    },
  ],
  nach_debit_days: [
    {
      file: 'mandates/src/debit/debit-policy.spec.ts',
      title: 'of a tenant that chose %s, admitted at %s, debited at %s',
    },
    { file: `${DEBITS}/debits.int.spec.ts`, title: 'of a tenant that chose calendar days' },
  ],
  third_party_payment: [
    {
      file: 'payments/src/payment/payment-life.int.spec.ts',
      title: 'is counted by who has paid, once for each report that counts (POL-8)',
    },
  ],
  two_factor_consent: [
    { file: 'libs/policies/src/consent-evidence.spec.ts', title: 'that was made %s' },
    {
      file: 'orders/src/order/consent-evidence.int.spec.ts',
      title: 'is needed by a redemption before it is by a purchase, by their dates',
    },
  ],
  nav_cut_off: [
    { file: 'libs/policies/src/nav-cut-off.spec.ts', title: 'the day whose NAV an order gets (ORD-36)' },
    {
      file: 'payments/src/collection/checkout-page/pay-by.int.spec.ts',
      title: 'given a page %s, when it is opened at %s, then it says nothing about the NAV',
    },
  ],
  redemption_payout: [
    { file: 'orders/src/mf-redemption/payout.int.spec.ts', title: 'the payout of redemptions (ORD-37)' },
  ],
  upi_status_enquiry: [
    { file: `${UPI}/status-enquiry.int.spec.ts`, title: 'come after 90 s, 10 min and 60 min' },
    { file: `${DEBITS}/status-enquiry.int.spec.ts`, title: 'by UPI come after 90 s, 10 min and 60 min' },
  ],
  sip_auto_cancellation: [
    {
      file: 'plans/src/installment/purchases.int.spec.ts',
      title: 'count as unpaid until the limit ends the plan',
    },
  ],
  personal_data_retention: [
    {
      file: 'identity/src/erasure/erasure.int.spec.ts',
      title: 'is erased a year after it was last processed: not the day before, and once (INV-17)',
    },
    { file: 'verification/src/erasure.e2e.spec.ts', title: 'once nothing keeps the data: nothing is left' },
  ],
};

/** The tests that the page names and that are not there. `texts` are those of the repository. */
export function missingPolicyTests(texts: readonly TextFile[]): string[] {
  const textOf = (file: string) =>
    texts.find(({ path }) => path === file || path === `apps/${file}`)?.text ?? '';
  const cases = textOf(REGISTRY_SPEC).replaceAll(/\s/g, '');
  return Object.entries(POLICY_TESTS).flatMap(([name, named]) => [
    ...(cases.includes(`crosses('${name}',`) ? [] : [`${REGISTRY_SPEC} has no case of ${name}`]),
    ...named
      .filter(({ file, title }) => !textOf(file).includes(title))
      .map(({ file, title }) => `${file} has no test “${title}”, which docs/policies.md names`),
  ]);
}
