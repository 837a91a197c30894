import {
  istTimestamp,
  type CreateMfRedemption,
  type Decimal,
  type MfRedemptionDto,
  type PatchMfRedemption,
  type PlanInstallment,
} from '@fundrail/contracts';
import type { Payout } from '@fundrail/providers';
import {
  amended,
  created,
  createdAs,
  mfRedemptionMachine,
  transition,
  type Decision,
  type PaymentStatus,
} from '@fundrail/state-machines';
import {
  confirmConsented,
  headOf,
  middleOf,
  NOTHING_YET,
  optionsOf,
  recordConsent,
  tailOf,
  type Contacts,
  type ExpectedNav,
  type Order,
  type OrderOrigin,
  type OrderStep,
} from '../order/order.ts';
import { payoutDayOf } from '../order/payout-day.ts';

/** Creates a redemption (ORD-4) of an amount, of units, or of all. The caller has made the same checks as for `createPurchase`. */
export function createRedemption(input: CreateMfRedemption, origin: OrderOrigin): Decision<Order> {
  const { now, ...identity } = origin;
  const { amount = null, units = null, folio_number } = input;
  const row: Order = {
    ...NOTHING_YET,
    ...identity,
    ...optionsOf(input),
    kind: 'redemption',
    ...{ amount, units, folio_number },
    type: typeOf(amount, units),
    created_at: now,
  };
  return created(mfRedemptionMachine, row);
}

/**
 * Creates the redemption of a plan's installment, under the plan's consent; a skipped one is only stored (PLAN-18, PLAN-27). The
 * event does not contain the investor, which is looked up when it is needed.
 */
export function createInstallment(
  tenant: string,
  installment: PlanInstallment,
  old_id: number,
  now: Date,
): OrderStep {
  const { mf_investment_account, scheme, folio_number, amount, units, plan, installment_number } =
    installment;
  const { consent, payment_source, euin, partner, user_ip, initiated_by, date } = installment;
  const row: Order = {
    ...NOTHING_YET,
    ...{ id: installment.redemption, old_id, tenant, investor_profile: null, kind: 'redemption' },
    ...{ mf_investment_account, scheme, folio_number, amount, units, type: typeOf(amount, units) },
    ...{ plan, installment_number, scheduled_on: date, consent, collection_mandate: payment_source },
    ...{ euin, partner, user_ip, initiated_by, initiated_via: null, source_ref_id: null, created_at: now },
  };
  return installment.state === 'cancelled'
    ? createdAs(mfRedemptionMachine, { ...row, cancelled_at: now }, 'create_skipped')
    : created(mfRedemptionMachine, row);
}

function typeOf(amount: Decimal | null, units: Decimal | null) {
  if (amount) return 'amount';
  return units ? 'units' : 'all';
}

/** Consent, confirmation, or both in one request (ORD-11), the consent first. A redemption needs no payment. */
export function changeRedemption(
  row: Order,
  { consent, state }: PatchMfRedemption,
  contacts: Contacts,
  now: Date,
): readonly OrderStep[] {
  const recorded = consent ? [recordConsent(row, consent, contacts)] : [];
  const confirmed = state ? [confirmConsented(recorded[0]?.row ?? row, now)] : [];
  return [...recorded, ...confirmed];
}

/** Confirms an installment automatically under the plan's consent, once its review has passed. Null for every other order. */
export function confirmInstallment(row: Order, now: Date): OrderStep | null {
  const isDue =
    row.kind === 'redemption' && row.plan !== null && row.state === 'pending' && row.consent !== null;
  return isDue ? confirmConsented(row, now) : null;
}

/** Whether the redemption waits for the money that its plan collects by mandate (PLAN-23). */
export function awaitsCollection(row: Order): boolean {
  return row.collection_mandate !== null && row.collected_at === null && row.state === 'confirmed';
}

/** The effect of a debit's status on the installment that it collects: the money has come, none will come, or it is open. */
export function collectionBy(status: PaymentStatus): 'collected' | 'failed' | 'open' {
  switch (status) {
    case 'SUCCESS':
    case 'INITIATED':
    case 'APPROVED':
      return 'collected';
    case 'FAILED':
    case 'REJECTED':
      return 'failed';
    case 'PENDING':
    case 'SUBMITTED':
      return 'open';
    default:
      return status satisfies never;
  }
}

/** `mandate_payment_failed`: no money came, so the order is never submitted (PLAN-23). */
export function failCollection(row: Order, now: Date): OrderStep {
  return transition(mfRedemptionMachine, row, 'fail_collection', {
    failure_code: 'mandate_payment_failed',
    failed_at: now,
  });
}

/** Records the payout of a successful redemption, which has no step: the first report counts. Null for every other order. */
export function payOut(row: Order, { paid_at, reference }: Payout): OrderStep | null {
  if (row.kind !== 'redemption' || row.state !== 'successful' || row.paid_out_at !== null) return null;
  return amended(mfRedemptionMachine, row, 'pay_out', {
    changes: { paid_out_at: paid_at, payout_reference: reference, payout_due_date: payoutDayOf(row) },
    events: ['mf_redemption.paid_out'],
  });
}

/** The redemption as GET returns it and as its events carry it (ORD-14). */
export function toMfRedemption(row: Order, nav: ExpectedNav): MfRedemptionDto {
  const { type, amount, redeemed_units, redeemed_amount, redeemed_price } = row;
  const { paid_out_at, payout_reference } = row;
  if (type === 'fresh' || type === 'additional') throw new Error(`${row.id} is not a redemption`);
  return {
    object: 'mf_redemption',
    ...headOf(row),
    type,
    amount,
    ...middleOf(row, nav),
    redeemed_units,
    redeemed_amount,
    redeemed_price,
    payout_due_date: payoutDayOf(row),
    paid_out_at: istTimestamp(paid_out_at),
    payout_reference,
    ...tailOf(row),
  };
}
