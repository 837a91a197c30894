import {
  businessDaysAfter,
  Decimal,
  istDate,
  istInstant,
  istTimestamp,
  SEEDED_HOLIDAYS,
} from '@fundrail/contracts';
import { expectedNavDate } from '@fundrail/policies';
import type { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import type { StoreRow } from '../store/simulator.tables.ts';
import { categoryOf, navOf, unitsFor, valueOf } from './nav.ts';

export type GatewayOrderRow = StoreRow<'orders'>;

/** The outcomes that `POST /api/oms/simulate/orders` can request (SAND-9). */
type SimulatedOutcome = 'successful' | 'failed' | 'reversed';

// The last digit of the order's whole rupees decides (SAND-3). An order without an amount succeeds.
export const REGISTRAR_REFUSES = 1n;
export const REVIEW_FAILS = 2n;
const PAYOUT_IS_LATE = 4n;
// The units of a full redemption: the simulated registrar stores no holdings.
const ALL_UNITS = Decimal.parse('100');

/** A new order, in review. */
export function takeOrder(request: gatewaypoaWire.OrderRequest, now: Date): GatewayOrderRow {
  const { reference, tenant, old_id, kind, scheme, folio_number, units, collected } = request;
  return {
    ...{ reference, tenant, old_id, kind, scheme, folio_number, units, collected },
    amount: request.amount_paise === null ? null : Decimal.ofPaise(request.amount_paise),
    ...{
      review: 'in_review',
      submission: 'none',
      submitted_at: null,
      order_reference: null,
      outcome: 'processing',
    },
    ...{
      failure_code: null,
      money_arrived: false,
      money_arrived_at: null,
      traded_on: null,
      allotted_units: null,
    },
    ...{ allotted_amount: null, nav: null, allotted_folio: null, paid_out_at: null, created_at: now },
  };
}

/** Whether a repeated call describes the same order. The same key with another order is refused. */
export function isSameOrder(row: GatewayOrderRow, request: gatewaypoaWire.OrderRequest): boolean {
  const paise = row.amount === null ? null : row.amount.toPaise();
  return row.tenant === request.tenant && row.old_id === request.old_id && paise === request.amount_paise;
}

/** The review's result by the digit; null when it was decided before. */
export function decideReview(row: GatewayOrderRow): GatewayOrderRow | null {
  if (row.review !== 'in_review') return null;
  return lastDigit(row) === REVIEW_FAILS ? failReview(row, null) : { ...row, review: 'passed' };
}

/** The submitted order. Returns the same row when it was accepted before, and null when its review has not passed. */
export function acceptSubmission(
  row: GatewayOrderRow,
  orderReference: string,
  now: Date,
): GatewayOrderRow | null {
  if (row.review !== 'passed') return null;
  if (row.submission === 'accepted') return row;
  return { ...row, submission: 'accepted', order_reference: orderReference, submitted_at: now };
}

/** The registrar processes an order once it is submitted and, if it needs money, that money has arrived (ORD-27). */
export function isReadyForRegistrar(row: GatewayOrderRow): boolean {
  const takesMoney = row.kind === 'purchase' || row.collected;
  const paid = !takesMoney || row.money_arrived;
  return row.submission === 'accepted' && row.outcome === 'processing' && paid;
}

/** The registrar's result by the digit; null when it has nothing to decide. */
export function decideOutcome(row: GatewayOrderRow, now: Date): GatewayOrderRow | null {
  if (!isReadyForRegistrar(row)) return null;
  return lastDigit(row) === REGISTRAR_REFUSES ? failOutcome(row, null) : process(row, now);
}

/**
 * The transfer for a collected redemption was rejected. The registrar refuses the order, because no other payment can pay it. Null for a
 * purchase, which can be paid again.
 */
export function refuseMoney(row: GatewayOrderRow): GatewayOrderRow | null {
  const waits = row.collected && row.submission === 'accepted' && row.outcome === 'processing';
  return waits && !row.money_arrived ? failOutcome(row, 'mandate_payment_failed') : null;
}

/** When the proceeds of a redemption are paid: at 10:00 of the second working day after its NAV, a late one of the fifth. Null when nothing is to be paid. */
export function payoutTime(row: GatewayOrderRow): Date | null {
  const { kind, outcome, traded_on, paid_out_at } = row;
  if (kind !== 'redemption' || outcome !== 'processed' || !traded_on || paid_out_at) return null;
  const days = lastDigit(row) === PAYOUT_IS_LATE ? 5 : 2;
  return istInstant(businessDaysAfter(traded_on, days, SEEDED_HOLIDAYS), '10:00');
}

/** The paid redemption; null when nothing is to be paid, or not yet. */
export function decidePayout(row: GatewayOrderRow, now: Date): GatewayOrderRow | null {
  const at = payoutTime(row);
  return at && at.getTime() <= now.getTime() ? { ...row, paid_out_at: now } : null;
}

/** Applies the outcome that a test requests, instead of the digit's. Throws `IllegalTransition` for a step that is not possible now. */
export function simulateOutcome(
  row: GatewayOrderRow,
  asked: { readonly status: SimulatedOutcome; readonly failure_code: string | null },
  now: Date,
): GatewayOrderRow {
  const illegal = () => new IllegalTransition('gatewaypoa order', wordFor(row), 'simulate', asked.status);
  switch (asked.status) {
    case 'successful':
      if (!isReadyForRegistrar(row)) throw illegal();
      return process(row, now);
    case 'failed':
      if (row.review === 'in_review') return failReview(row, asked.failure_code);
      if (row.submission !== 'accepted' || row.outcome !== 'processing') throw illegal();
      return failOutcome(row, asked.failure_code);
    case 'reversed':
      if (row.outcome !== 'processed') throw illegal();
      return { ...row, outcome: 'reversed', failure_code: asked.failure_code };
    default:
      return asked.status satisfies never;
  }
}

/** A step that the order takes by itself (COMP-14). Throws `IllegalTransition` when it can never come: the order has failed or was reversed. */
export function awaitStep(row: GatewayOrderRow, step: string): void {
  const word = wordFor(row);
  if (word === 'failed' || word === 'reversed')
    throw new IllegalTransition('gatewaypoa order', word, 'simulate', step);
}

/** The order as in the gateway's responses and callbacks. */
export function toOrderObject(row: GatewayOrderRow): gatewaypoaWire.OrderObjectWire {
  const { reference, failure_code } = row;
  return {
    reference,
    review: row.review === 'rejected' ? { status: 'rejected', failure_code } : { status: row.review },
    submission:
      row.order_reference === null
        ? { status: 'none' }
        : { status: 'accepted', order_reference: row.order_reference },
    outcome: outcomeOf(row),
    payout: payoutOf(row),
    scheme_category: row.review === 'passed' ? categoryOf(row.scheme) : null,
  };
}

function payoutOf({ paid_out_at, old_id }: GatewayOrderRow): gatewaypoaWire.OrderObjectWire['payout'] {
  return paid_out_at && { paid_at: istTimestamp(paid_out_at), utr: `N${String(old_id).padStart(12, '0')}` };
}

function outcomeOf(row: GatewayOrderRow): gatewaypoaWire.OrderObjectWire['outcome'] {
  const { failure_code } = row;
  if (row.outcome === 'rejected' || row.outcome === 'reversed') return { status: row.outcome, failure_code };
  const { traded_on, allotted_units, allotted_amount, nav, allotted_folio } = row;
  if (!traded_on || !allotted_units || !allotted_amount || !nav || !allotted_folio)
    return { status: 'processing' };
  return {
    status: 'processed',
    traded_on,
    units: allotted_units.toString(),
    amount_paise: allotted_amount.toPaise(),
    nav: nav.toString(),
    folio_number: allotted_folio,
  };
}

/** The day whose NAV the order gets (SAND-17). The registrar processes it immediately, though that day may be still to come. */
function tradingDay({ kind, scheme, submitted_at, money_arrived_at }: GatewayOrderRow, now: Date): string {
  const funds = kind === 'purchase' ? { at: money_arrived_at ?? now, by: null } : null;
  const order = { category: categoryOf(scheme), accepted: submitted_at ?? now, funds };
  return expectedNavDate(order, SEEDED_HOLIDAYS) ?? istDate(now);
}

function process(row: GatewayOrderRow, now: Date): GatewayOrderRow {
  const nav = navOf(row.scheme);
  const units = row.amount ? unitsFor(row.amount, nav) : (row.units ?? ALL_UNITS);
  return {
    ...row,
    outcome: 'processed',
    traded_on: tradingDay(row, now),
    nav,
    allotted_units: units,
    allotted_amount: row.amount ?? valueOf(units, nav),
    allotted_folio: row.folio_number ?? `91${String(row.old_id).padStart(9, '0')}`,
  };
}

function failReview(row: GatewayOrderRow, code: string | null): GatewayOrderRow {
  return { ...row, review: 'rejected', failure_code: code ?? 'review_rejected' };
}

function failOutcome(row: GatewayOrderRow, code: string | null): GatewayOrderRow {
  return { ...row, outcome: 'rejected', failure_code: code ?? 'registrar_rejected' };
}

/** The order's current step, for the message of a refusal. */
function wordFor(row: GatewayOrderRow): string {
  if (row.outcome === 'processed') return 'successful';
  if (row.outcome !== 'processing') return row.outcome === 'reversed' ? 'reversed' : 'failed';
  if (row.submission === 'accepted') return row.money_arrived ? 'submitted and paid' : 'submitted';
  return row.review === 'in_review' ? 'under_review' : row.review === 'passed' ? 'pending' : 'failed';
}

function lastDigit(row: GatewayOrderRow): bigint | null {
  return row.amount === null ? null : row.amount.wholePart() % 10n;
}
