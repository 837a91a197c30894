/** What one kind of disagreement means, what is done about it without anybody, and what a person does about what is left. */
export interface ReconciliationKind {
  readonly means: string;
  readonly byItself: string;
  readonly person: string;
}

const asks = 'The question is asked again at once';

/** Every disagreement that reconciliation can tell: a closed list, from which docs/reconciliation.md is written. */
export const RECONCILIATION_KINDS = {
  event_not_received: {
    means:
      'A service has published an event, and another one that asks for its type has neither handled nor parked it.',
    byItself: 'It is published once more, under its own id: whoever has it drops it.',
    person:
      'Look at the parked events of the consumer and at `fundrail_events_unconsumed`: it does not consume.',
  },
  event_gap: {
    means:
      'In an outbox a number of an object is missing between two of its events, or its row has counted further.',
    byItself: 'Nothing: the event, as it was, is nowhere.',
    person:
      "The database was restored or changed by hand. Tell the object's clients; GET answers how it stands.",
  },
  row_behind_events: {
    means:
      'Clients have been told of more events of an object than its own row has made: its database is older.',
    byItself: 'Nothing here. What outside systems know of the object is learnt by the other checks.',
    person:
      "`GET /v2/events?object_id=` shows what the object had come to. Compare it with the row; a client's own act (consent, confirmation, cancellation) has to be made again by the client.",
  },
  events_of_unknown_object: {
    means: 'Clients have been told of an object that its service does not know: its database is older.',
    byItself: 'Nothing.',
    person: 'The object is lost. Its last event has all its fields; the client has to make it anew.',
  },
  claim_of_dead_payment: {
    means: 'An order is claimed by a payment that is dead, or that does not hold it.',
    byItself: `${asks}: orders asks payments, and frees the claim of a dead payment.`,
    person: 'A payment that lives without its share was changed by hand: compare `payment_orders`.',
  },
  claim_of_lost_payment: {
    means:
      'An order is claimed by a payment that payments does not know, or whose id it has given up while a provider may have money.',
    byItself:
      'When it was no debit, and every provider says that no money came in under that id and that none can any more: payments makes the id void, and orders frees the claim.',
    person:
      'With money at the provider: give it back there, then run again with `--accept-lost-money`, which frees the claim.',
  },
  order_ended_without_money: {
    means: 'A purchase is successful, and no payment has handed its money over.',
    byItself: 'Nothing.',
    person: 'Ask the order gateway for the transfer, and compare with the provider of the payment.',
  },
  order_differs_at_gateway: {
    means: 'The order gateway tells another story of an order than its row.',
    byItself: `${asks}, and the steps that are missing here are taken.`,
    person:
      'The two contradict each other (the log says how). Nothing is overwritten; agree with the gateway which is right.',
  },
  order_amount_differs_at_gateway: {
    means: 'The order gateway has an order with another amount.',
    byItself: 'Nothing.',
    person: 'One of the two was changed. Do not pay it; agree with the gateway, cancel, and order anew.',
  },
  order_unknown_here: {
    means: 'The order gateway has an order under a reference that orders does not know.',
    byItself: 'Nothing.',
    person: 'The order is lost here: cancel it at the gateway, or have it paid out.',
  },
  order_not_at_gateway: {
    means: 'A submitted order is not known at the order gateway.',
    byItself: 'It is sent again, under the same key.',
    person: 'The gateway refuses or does not answer: ask it.',
  },
  share_without_claim: {
    means: 'A payment lives, and an order of it is not claimed by it.',
    byItself: 'The payment claims its orders again.',
    person:
      'The order is held by another payment or has ended: one of two payments has to be given back (`POST /api/pg/payments/:id/refunds`).',
  },
  order_of_payment_unknown: {
    means: 'A payment pays an order that orders does not know.',
    byItself: 'Nothing.',
    person: 'The order is lost. Refund the payment when it has money and was not transferred.',
  },
  share_amount_differs: {
    means: "A payment's share is not the order's amount.",
    byItself: 'Nothing.',
    person: 'One of the two rows was changed by hand. Compare with the event that created each.',
  },
  order_state_not_heard: {
    means: 'Payments has not heard how an order of a payment stands now.',
    byItself: 'It is learnt from the answer, as if the event had come.',
    person: 'Payments does not apply it: its log says why.',
  },
  order_went_back: {
    means: 'Payments has heard more of an order than its own row knows: the database of orders is older.',
    byItself: 'Nothing.',
    person: 'See `row_behind_events`.',
  },
  money_not_accounted: {
    means: 'What a payment has received, less what went back, is neither nothing nor its amount.',
    byItself: `${asks} to the provider.`,
    person:
      'Add up captures and refunds of the payment, here and at the provider, and refund the difference.',
  },
  capture_not_booked: {
    means: 'The provider took money for a payment, and payments does not know of it.',
    byItself: `${asks}: the money becomes a success, or is given back as late or doubled.`,
    person: 'The provider tells something else when asked about the payment alone: ask it.',
  },
  capture_of_unknown_payment: {
    means: 'The provider took money under a reference of ours that is no payment here.',
    byItself: 'Nothing.',
    person: "Give it back at the provider's dashboard.",
  },
  capture_amount_differs: {
    means: 'The provider has another amount for money that came in than payments.',
    byItself: 'Nothing.',
    person: 'One of the two was changed: ask the provider for its statement.',
  },
  capture_not_at_provider: {
    means: 'Payments has booked money that the provider does not know.',
    byItself: 'Nothing.',
    person: 'Do not transfer or refund it. Ask the provider; it may have reversed the payment.',
  },
  refund_differs_at_provider: {
    means: 'A refund has ended at the provider otherwise than here, or with another amount.',
    byItself: 'While it is open here, it is asked about again.',
    person: 'Compare with the statement of the provider.',
  },
  refund_unknown_here: {
    means: 'The provider gave money back that payments did not ask for.',
    byItself: 'Nothing.',
    person: 'Somebody refunded at the dashboard, or the row is lost: do not refund again.',
  },
  refund_not_at_provider: {
    means: 'A refund is successful here, and unknown at the provider.',
    byItself: 'Nothing.',
    person: 'The investor has no money: ask the provider.',
  },
  transfer_differs_at_gateway: {
    means: 'A transfer has ended at the order gateway otherwise than here.',
    byItself: `${asks} while it is open here.`,
    person: 'Agree with the gateway where the money is.',
  },
  transfer_unknown_here: {
    means: 'The order gateway took money for a transfer that payments does not know.',
    byItself: 'A payment that has the money but has not begun is asked to go on.',
    person: 'Agree with the gateway where the money is.',
  },
  debit_differs_at_mandates: {
    means: 'Mandates and payments tell another story of a debit.',
    byItself: `${asks}: mandates asks payments, and releases what is dead.`,
    person: 'Compare `mandate_debits` with the payment and the statement of the provider.',
  },
  debit_not_admitted: {
    means: 'Payments debits a mandate without an admission: the database of mandates is older.',
    byItself: 'Nothing: no permit is given for it any more, so no money is taken.',
    person: 'Cancel the payment, or let it fail, and debit anew.',
  },
  authorisation_of_dead_payment: {
    means: 'A mandate waits for an authorisation whose payment is dead or unknown.',
    byItself: `${asks}: mandates asks payments, and lets the mandate go.`,
    person: 'Payments does not answer for it: its log says why.',
  },
  mandate_differs_at_provider: {
    means: 'The provider tells another state of a mandate.',
    byItself: `${asks}, and the step that is missing here is taken.`,
    person:
      'The two contradict each other. Nothing is debited where mandates says so; agree with the provider.',
  },
  installment_not_at_orders: {
    means: 'A plan has generated an installment, and orders has no redemption for it.',
    byItself:
      'Orders is told of it once more, under the same id; not where the plan knows that it has ended.',
    person:
      'Orders does not take it: look at its parked events. With `has_ended`: orders has lost a redemption that was carried out or cancelled; its event, in the outbox of orders or in a backup, tells which.',
  },
  installment_end_not_heard: {
    means: 'The redemption of an installment has ended, and its plan has not heard of it.',
    byItself: 'It is learnt from the answer, as if the event had come; the last one completes its plan.',
    person: 'The plan does not apply it: the log of swp says why.',
  },
  installment_went_back: {
    means:
      'A plan has heard that the redemption of an installment ended, and in orders it goes on: the database of orders is older.',
    byItself: 'Nothing.',
    person: 'See `row_behind_events`.',
  },
} as const satisfies Readonly<Record<string, ReconciliationKind>>;

export type ReconciliationKindName = keyof typeof RECONCILIATION_KINDS;
