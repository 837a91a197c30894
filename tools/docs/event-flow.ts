import {
  EVENT_TYPES,
  PUBLIC_EVENT_TYPES,
  type EventType,
  type ServiceName,
  type Topic,
} from '@fundrail/contracts';

/** The services that handle each type, and why. The spec compares it with the real `@OnEvent` methods. */
export const LISTENERS: readonly Listener[] = [
  {
    service: 'orders',
    types: ['payment.success', 'payment.approved', 'payment.failed', 'payment.rejected'],
    purpose:
      'releases the orders of a dead payment; submits the installment that a debit has paid, or fails it; receives when the money of a purchase came, which decides its NAV',
  },
  {
    service: 'orders',
    types: ['mf_redemption_plan.installment_generated'],
    purpose: 'creates the redemption of the installment',
  },
  {
    service: 'orders',
    types: ['mf_purchase_plan.installment_generated'],
    purpose: 'creates the purchase of the installment',
  },
  {
    service: 'orders',
    types: ['holiday_year.replaced'],
    purpose: 'uses it to count the business days of a confirmation',
  },
  {
    service: 'payments',
    types: [
      'mf_purchase.confirmed',
      'mf_purchase.submitted',
      'mf_purchase.successful',
      'mf_purchase.failed',
      'mf_purchase.cancelled',
      'mf_purchase.reversed',
    ],
    purpose: 'receives the state of each order, and then collects, transfers or refunds the money',
  },
  {
    service: 'payments',
    types: [
      'mf_redemption.submitted',
      'mf_redemption.successful',
      'mf_redemption.failed',
      'mf_redemption.reversed',
    ],
    purpose: 'transfers the money of a collected installment, or refunds it',
  },
  {
    service: 'payments',
    types: EVENT_TYPES.filter((type) => type.startsWith('mandate_debit.')),
    purpose: 'records what became of a debit in its payment: the day, the money, the end',
  },
  {
    service: 'payments',
    types: ['holiday_year.replaced'],
    purpose: 'counts the business days that a debit waits for its order by it',
  },
  {
    service: 'mandates',
    types: [
      'payment.success',
      'payment.failed',
      'payment.rejected',
      'payment.mandate_fact',
      'payment.debit_fact',
      'payment.debit_handed_over',
      'mandate_fact.received',
    ],
    purpose: 'receives the results of authorisations, and what is known of mandates and debits',
  },
  {
    service: 'mandates',
    types: ['holiday_year.replaced'],
    purpose: 'debits e-mandates on business days, which depend on it',
  },
  {
    service: 'plans',
    types: [
      'mf_redemption.successful',
      'mf_redemption.failed',
      'mf_redemption.cancelled',
      'mf_purchase.successful',
      'mf_purchase.failed',
      'mf_purchase.cancelled',
      'mandate.modified',
      'mandate.paused',
      'mandate.resumed',
      'mandate.cancelled',
      'mandate.expired',
    ],
    purpose:
      'completes a plan with its last installment, counts what was not paid, and receives which mandates cannot collect any more, or can again',
  },
  {
    service: 'webhooks',
    types: PUBLIC_EVENT_TYPES,
    purpose: 'stores the event and sends it to each subscribed endpoint',
  },
];

export interface Listener {
  readonly service: ServiceName;
  readonly types: readonly EventType[];
  readonly purpose: string;
}

/** Sent by webhooks itself to the one endpoint that requested it. */
const NOT_ON_THE_BUS: readonly EventType[] = ['notification_webhook.test'];

/** The types that are actually published on a topic. */
export function carriedBy(topic: Topic): EventType[] {
  return topic.types.filter((type) => !NOT_ON_THE_BUS.includes(type));
}

/** The listeners of a topic, each with the types that it handles. */
export function listenersOf(topic: Topic): Listener[] {
  const carried = carriedBy(topic);
  return LISTENERS.map((listener) => ({
    ...listener,
    types: listener.types.filter((type) => carried.includes(type)),
  })).filter(({ types }) => types.length > 0);
}
