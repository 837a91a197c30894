/** The meaning of one kind of finding, its automatic repair, and what an operator does when the finding remains. */
interface ReconciliationKind {
  readonly means: string;
  readonly automatic: string;
  readonly operator: string;
}

const requested = 'The state is requested again immediately';

/** Every finding that reconciliation can report. docs/reconciliation.md is generated from this list. */
export const RECONCILIATION_KINDS = {
  event_not_received: {
    means:
      'A service published an event, and a service that subscribes to its type has neither handled nor parked it.',
    automatic: 'It is published again with the same id; a service that already has it drops it.',
    operator: 'The service does not consume. Check its parked events and `fundrail_events_unconsumed`.',
  },
  event_gap: {
    means:
      'In an outbox, a sequence number of an object is missing between two of its events, or its row has a higher number than its last event.',
    automatic: 'Nothing: the event is stored nowhere.',
    operator:
      "The database was restored or changed by hand. Inform the object's clients; GET returns its current state.",
  },
  row_behind_events: {
    means:
      'Clients have received more events of an object than its row has published: its database was restored to an older state.',
    automatic: 'Nothing. The other checks recover what outside systems know about the object.',
    operator:
      '`GET /v2/events?object_id=` shows the last state of the object. Compare it with the row. The client must repeat its own requests (consent, confirmation, cancellation).',
  },
  events_of_unknown_object: {
    means:
      'Clients have received events of an object that its service does not have: its database was restored to an older state.',
    automatic: 'Nothing.',
    operator: 'The object is lost. Its last event has all its fields; the client must create it again.',
  },
  claim_of_dead_payment: {
    means: 'A payment that is dead, or that does not include the order, holds a claim on it.',
    automatic: `${requested}: orders asks payments, and frees the claim of a dead payment.`,
    operator: 'A live payment without the order was changed by hand: compare `payment_orders`.',
  },
  claim_of_lost_payment: {
    means:
      'A payment that payments does not have holds a claim on an order, or payments has voided its id while a provider may have money.',
    automatic:
      'If it was not a debit, and every provider reports that no money was or can be received under that id, payments voids the id, and orders frees the claim.',
    operator:
      'If the provider has money: refund it there, then run again with `--accept-lost-money`, which frees the claim.',
  },
  order_ended_without_money: {
    means:
      'A purchase, or an installment that its plan collects by mandate, is successful, and no payment has transferred its money.',
    automatic: 'Nothing.',
    operator: 'Ask the order gateway for the transfer, and compare it with the provider of the payment.',
  },
  collection_without_money: {
    means:
      'An installment counts as collected and has not ended, but the payment that collected it is dead or unknown: its money was refunded.',
    automatic:
      'Orders records the end of a dead payment: an installment that the gateway does not have fails with `mandate_payment_failed`.',
    operator:
      'If the gateway has the order, have it cancelled there. An unknown payment is lost: see `claim_of_lost_payment`.',
  },
  payout_overdue: {
    means:
      'A redemption is successful, and the gateway has not reported its payout by the end of `payout_due_date`.',
    automatic: `${requested} from the gateway.`,
    operator:
      'Ask the fund house for the payout: it owes interest from that day on. The finding ends once the gateway reports the payout.',
  },
  order_differs_at_gateway: {
    means: 'The order gateway reports another state of an order than its row.',
    automatic: `${requested}, and the missing steps are applied.`,
    operator:
      'The two contradict each other (the log states how). Nothing is overwritten; agree with the gateway which is right.',
  },
  order_amount_differs_at_gateway: {
    means: 'The order gateway has another amount for an order.',
    automatic: 'Nothing.',
    operator:
      'One of the two was changed. Do not pay it; agree with the gateway, cancel the order, and place a new one.',
  },
  order_unknown_here: {
    means: 'The order gateway has an order with a reference that orders does not have.',
    automatic: 'Nothing.',
    operator: 'The order is lost here: cancel it at the gateway, or have it paid out.',
  },
  order_not_at_gateway: {
    means: 'The order gateway does not have a submitted order.',
    automatic: 'It is sent again with the same key.',
    operator: 'The gateway refuses it or does not respond: contact the gateway.',
  },
  share_without_claim: {
    means: 'A live payment does not hold the claim on one of its orders.',
    automatic: 'The payment claims its orders again.',
    operator:
      'Another payment holds the order, or the order has ended: refund one of the two payments (`POST /api/pg/payments/:id/refunds`).',
  },
  order_of_payment_unknown: {
    means: 'A payment includes an order that orders does not have.',
    automatic: 'Nothing.',
    operator: 'The order is lost. Refund the payment if it has received money and was not transferred.',
  },
  share_amount_differs: {
    means: "A payment's share differs from the order's amount.",
    automatic: 'Nothing.',
    operator: 'One of the two rows was changed by hand. Compare with the event that created each.',
  },
  order_state_not_heard: {
    means: 'Payments has not received the current state of an order.',
    automatic: 'The state from orders is applied as if the event had arrived.',
    operator: 'Payments does not apply it: its log states why.',
  },
  order_went_back: {
    means:
      'Payments has received more events of an order than its row has published: the database of orders was restored to an older state.',
    automatic: 'Nothing.',
    operator: 'See `row_behind_events`.',
  },
  money_not_accounted: {
    means: 'The money received for a payment less its refunds is neither zero nor its amount.',
    automatic: `${requested} from the provider.`,
    operator:
      'Add up the captures and refunds of the payment, here and at the provider, and refund the difference.',
  },
  capture_not_booked: {
    means: 'The provider received money for a payment, and payments has no record of it.',
    automatic: `${requested}: the payment becomes successful, or the money is refunded as late or paid twice.`,
    operator: 'The provider reports another state for the single payment: contact the provider.',
  },
  capture_of_unknown_payment: {
    means: 'The provider received money under one of our references, and no payment has it.',
    automatic: 'Nothing.',
    operator: "Refund it at the provider's dashboard.",
  },
  capture_amount_differs: {
    means: 'The provider and payments have different amounts for received money.',
    automatic: 'Nothing.',
    operator: 'One of the two was changed: ask the provider for its statement.',
  },
  capture_not_at_provider: {
    means: 'Payments has recorded money that the provider does not have.',
    automatic: 'Nothing.',
    operator: 'Do not transfer or refund it. Ask the provider; it may have reversed the payment.',
  },
  refund_differs_at_provider: {
    means: 'A refund has another final state or another amount at the provider than here.',
    automatic: 'While it is open here, its state is requested again.',
    operator: 'Compare it with the statement of the provider.',
  },
  refund_unknown_here: {
    means: 'The provider made a refund that payments did not request.',
    automatic: 'Nothing.',
    operator: "It was refunded at the provider's dashboard, or the row is lost: do not refund again.",
  },
  refund_not_at_provider: {
    means: 'A refund is successful here, but the provider does not have it.',
    automatic: 'Nothing.',
    operator: 'The investor did not receive the money: contact the provider.',
  },
  transfer_differs_at_gateway: {
    means: 'A transfer has another final state at the order gateway than here.',
    automatic: `${requested} while it is open here.`,
    operator: 'Agree with the gateway where the money is.',
  },
  transfer_unknown_here: {
    means: 'The order gateway received money for a transfer that payments does not have.',
    automatic: 'A payment that has the money and has not started its transfer continues.',
    operator: 'Agree with the gateway where the money is.',
  },
  debit_differs_at_mandates: {
    means: 'Mandates and payments have different states of a debit.',
    automatic: `${requested}: mandates asks payments, and releases the debit of a dead payment.`,
    operator: 'Compare `mandate_debits` with the payment and the statement of the provider.',
  },
  debit_not_admitted: {
    means:
      'Payments debits a mandate without an admission: the database of mandates was restored to an older state.',
    automatic: 'Nothing: mandates does not carry it out, so no money is collected.',
    operator: 'Cancel the payment, or let it fail, and create a new debit.',
  },
  authorisation_of_dead_payment: {
    means: 'A mandate waits for an authorisation whose payment is dead or unknown.',
    automatic: `${requested}: mandates asks payments, and releases the mandate.`,
    operator: 'Payments does not respond: its log states why.',
  },
  mandate_differs_at_provider: {
    means: 'The provider reports another state of a mandate, or another limit or last day.',
    automatic: `${requested}, and the missing step is applied.`,
    operator:
      'The two contradict each other. If mandates has it as unusable, nothing is debited; agree with the provider which is right.',
  },
  installment_not_at_orders: {
    means: 'A plan has generated an installment, and orders has no order for it.',
    automatic: 'It is published to orders again with the same id, unless the plan has recorded its end.',
    operator:
      'Orders does not process it: check its parked events. With `has_ended`, orders has lost a redemption that was carried out or cancelled; its event, in the outbox of orders or in a backup, shows which.',
  },
  installment_end_not_heard: {
    means: 'The redemption of an installment has ended, and its plan has not received that event.',
    automatic:
      'The state from orders is applied as if the event had arrived; the last installment completes its plan.',
    operator:
      'The plan does not apply it, for example because it was restored without this installment. Compare the facts of the finding (`npm run reconcile -- --last`) with the plan and the redemption.',
  },
  installment_amount_differs: {
    means: 'An installment has another amount in its plan than its order has.',
    automatic: 'Nothing.',
    operator: 'Do not pay it; compare both with the event `installment_generated` of the plan.',
  },
  installment_not_collected: {
    means:
      'An installment of a purchase plan with a mandate has been pending for an hour, without a payment, and the debit was neither raised nor refused.',
    automatic: 'The debit is raised.',
    operator:
      'Payments does not answer, or does not know the outcome. The logs of orders and payments state why.',
  },
  failures_differ: {
    means: 'A purchase plan has counted another number of unpaid installments than its installments show.',
    automatic: 'They are counted again, which may end the plan.',
    operator: 'Nothing, unless it comes again.',
  },
  installment_went_back: {
    means:
      "A plan has received the end of an installment's redemption, but the redemption is still open in orders: the database of orders was restored to an older state.",
    automatic: 'Nothing.',
    operator: 'See `row_behind_events`.',
  },
} as const satisfies Readonly<Record<string, ReconciliationKind>>;

export type ReconciliationKindName = keyof typeof RECONCILIATION_KINDS;
