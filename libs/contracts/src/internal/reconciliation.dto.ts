import { z } from 'zod';
import { decimal } from '../decimal.ts';
import { EVENT_TYPES } from '../events/catalogue.ts';
import { integerId } from '../ids.ts';
import { MANDATE_DEBIT_STATES } from './debit-events.dto.ts';
import { MANDATE_STATUSES } from '../mandate.dto.ts';
import { MF_ORDER_STATES } from '../mf-order.dto.ts';
import { PAYMENT_STATUSES } from '../payment.dto.ts';

/** The most ids in one request: a page of reconciliation. */
export const RECONCILIATION_PAGE = 200;

const eventType = z.enum(EVENT_TYPES);

/**
 * `POST /internal/reconciliation/events` (each service with an outbox): the events of these types that were published between the two
 * wall times, in the order of its outbox, after the row `after`. Without their data: only what is needed to check that they were
 * received.
 */
export const askPublished = z.strictObject({
  types: z.array(eventType).min(1),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  after: z.int().nonnegative(),
});
export type AskPublished = z.infer<typeof askPublished>;

const publishedEvent = z.strictObject({
  row: z.int().positive(),
  id: z.string(),
  type: eventType,
  tenant: z.string(),
  aggregate_id: z.string(),
  sequence: z.int().positive(),
});
export type PublishedEvent = z.infer<typeof publishedEvent>;
/** Fewer than a page means that there are no more. */
export const publishedEvents = z.strictObject({ events: z.array(publishedEvent) });

/** `POST /internal/reconciliation/events/republish`: publishes them again; every inbox that has them drops them. */
export const republish = z.strictObject({ ids: z.array(z.string()).min(1).max(RECONCILIATION_PAGE) });
export const republished = z.strictObject({ republished: z.int().nonnegative() });

/** `POST /internal/reconciliation/sequences` (each service with an outbox): the last event sequence of these objects in their rows. */
export const askSequences = z.strictObject({
  ids: z.array(z.string()).min(1).max(RECONCILIATION_PAGE),
});
export const sequences = z.strictObject({
  objects: z.array(z.strictObject({ id: z.string(), sequence: z.int().nonnegative() })),
});

const numbers = z.array(integerId).min(1).max(RECONCILIATION_PAGE);

/** `POST /internal/reconciliation/orders` (orders): the state of these orders; unknown ones are left out. */
export const askOrders = z.strictObject({ old_ids: numbers });
const orderStanding = z.strictObject({
  old_id: integerId,
  id: z.string(),
  tenant: z.string(),
  state: z.enum(MF_ORDER_STATES),
  sequence: z.int().nonnegative(),
  amount: decimal.nullable(),
  claimed_by: integerId.nullable(),
});
export type OrderStanding = z.infer<typeof orderStanding>;
export const orderStandings = z.strictObject({ orders: z.array(orderStanding) });

/** `POST /internal/reconciliation/redemptions` (orders): the state of these installments, redemptions or purchases; unknown ones are left out. */
export const askRedemptions = z.strictObject({ ids: z.array(z.string()).min(1).max(RECONCILIATION_PAGE) });
const redemptionStanding = z.strictObject({
  id: z.string(),
  state: z.enum(MF_ORDER_STATES),
  // Not from a release that knows redemptions only.
  amount: decimal.nullable().default(null),
  failure_code: z.string().nullable().default(null),
  folio_number: z.string().nullable().default(null),
});
export type RedemptionStanding = z.infer<typeof redemptionStanding>;
export const redemptionStandings = z.strictObject({ redemptions: z.array(redemptionStanding) });

/**
 * `POST /internal/reconciliation/payments` (payments): the state of these payments. For an id without a payment, every provider was
 * asked: `money` is true if one of them received money under it, and null if one of them did not answer.
 */
export const askPayments = z.strictObject({ payment_ids: numbers });
const paymentStanding = z.discriminatedUnion('known', [
  z.strictObject({
    known: z.literal('payment'),
    payment_id: integerId,
    status: z.enum(PAYMENT_STATUSES),
    /** The orders that it holds. */
    live: z.array(integerId),
  }),
  z.strictObject({
    known: z.enum(['void', 'nothing']),
    payment_id: integerId,
    money: z.boolean().nullable(),
  }),
]);
export type PaymentStanding = z.infer<typeof paymentStanding>;
export const paymentStandings = z.strictObject({ payments: z.array(paymentStanding) });

/** `POST /internal/reconciliation/debits` (mandates): the debits of these payments in mandates; unknown ones are left out. */
const debitStanding = z.strictObject({
  payment_id: integerId,
  state: z.enum(MANDATE_DEBIT_STATES),
  mandate_status: z.enum(MANDATE_STATUSES),
});
export type DebitStanding = z.infer<typeof debitStanding>;
export const debitStandings = z.strictObject({ debits: z.array(debitStanding) });
