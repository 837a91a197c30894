import type { PurchaseInstallment } from '@fundrail/contracts';
import { created, createdAs, mfPurchaseMachine, transition } from '@fundrail/state-machines';
import { confirmConsented, NOTHING_YET, type Order, type OrderStep } from '../order/order.ts';

/** What a purchase must say about itself to be judged as an installment. */
type InstallmentRow = Pick<
  Order,
  'kind' | 'plan' | 'state' | 'claimed_by' | 'given_up_by' | 'debited_mandate' | 'debit_over_at'
>;

/** Creates the purchase of a plan's installment, under the plan's consent; a skipped one is only stored (SIP-13, ORD-17). */
export function createPurchaseInstallment(
  tenant: string,
  installment: PurchaseInstallment,
  old_id: number,
  now: Date,
): OrderStep {
  const {
    purchase: id,
    account: mf_investment_account,
    investor_profile,
    scheme,
    folio_number,
  } = installment;
  const { plan, installment_number, amount, consent, euin, partner, user_ip, date } = installment;
  const row: Order = {
    ...NOTHING_YET,
    ...{
      id,
      old_id,
      tenant,
      kind: 'purchase',
      mf_investment_account,
      investor_profile,
      scheme,
      folio_number,
    },
    ...{ type: folio_number === null ? 'fresh' : 'additional', amount, units: null },
    ...{ plan, installment_number, scheduled_on: date, payable_until: new Date(installment.payable_until) },
    ...{ consent, debited_mandate: installment.payment_source, euin, partner, user_ip },
    ...{ initiated_by: 'system', initiated_via: null, source_ref_id: null, created_at: now },
  };
  return installment.state === 'cancelled'
    ? createdAs(mfPurchaseMachine, { ...row, cancelled_at: now }, 'create_skipped')
    : created(mfPurchaseMachine, row);
}

/** Whether the plan's mandate has to be debited for it: once, and by this service (SIP-25). */
export function awaitsDebit({ state, debited_mandate, debit_over_at }: InstallmentRow): boolean {
  return state === 'pending' && debited_mandate !== null && debit_over_at === null;
}

/** Whether it confirms itself as soon as the payment that holds it exists (SIP-26). */
export function awaitsPayment(row: InstallmentRow): boolean {
  const { kind, plan, state, claimed_by, given_up_by } = row;
  return (
    kind === 'purchase' &&
    plan !== null &&
    state === 'pending' &&
    claimed_by !== null &&
    claimed_by !== given_up_by
  );
}

/** Confirms an installment under the plan's consent, because `payment` exists and holds it. Null for every other order. */
export function confirmPaid(row: Order, payment: number, now: Date): OrderStep | null {
  return awaitsPayment(row) && row.claimed_by === payment ? confirmConsented(row, now) : null;
}

/** Whether an installment was confirmed, which needs no request of the client (SIP-26). */
export function hasConfirmedItself({ plan, state }: Pick<Order, 'plan' | 'state'>): boolean {
  return plan !== null && (state === 'confirmed' || state === 'submitted' || state === 'successful');
}

/** Whether an installment can still be paid, or is on its way to the gateway. */
export function isUnended({ state }: Pick<Order, 'state'>): boolean {
  return state === 'pending' || state === 'confirmed' || state === 'submitted';
}

/** Ends an installment that has not been paid in time (SIP-27). Null while a payment holds it, or while it is being submitted. */
export function expireInstallment(row: Order, now: Date): OrderStep | null {
  if (row.claimed_by !== null || (row.state !== 'pending' && row.state !== 'submitted')) return null;
  const [trigger, code] =
    row.state === 'pending'
      ? (['expire', 'order_expiry'] as const)
      : (['expire_unpaid', 'payment_url_unused'] as const);
  const failure_code = row.debited_mandate === null ? code : 'mandate_payment_failed';
  return transition(mfPurchaseMachine, row, trigger, { failure_code, failed_at: now });
}
