import {
  EVENT_TYPES,
  PUBLIC_EVENT_TYPES,
  type EventType,
  type ServiceName,
  type Topic,
} from '@fundrail/contracts';

/** Declared for the parts that are still being built: nobody may write them yet. Empty when all are. */
export const NOT_WRITTEN_YET: readonly string[] = ['mandate_fact'];

/** Whose handlers take which types, and what for. The spec compares it with the real `@OnEvent` methods. */
export const LISTENERS: readonly Listener[] = [
  {
    service: 'orders',
    types: ['payment.success', 'payment.failed', 'payment.rejected'],
    purpose:
      'lets go of the orders of a dead payment; submits the installment that a debit has paid, or fails it',
  },
  {
    service: 'orders',
    types: ['mf_redemption_plan.installment_generated'],
    purpose: 'makes the redemption of the installment',
  },
  {
    service: 'orders',
    types: ['holiday_year.replaced'],
    purpose: 'counts the business days of a confirmation by it',
  },
  {
    service: 'payments',
    types: EVENT_TYPES.filter((type) => type.startsWith('mf_purchase.')),
    purpose: 'learns the state of each order: asks the provider for money, transfers it, or gives it back',
  },
  {
    service: 'payments',
    types: [
      'mf_redemption.submitted',
      'mf_redemption.successful',
      'mf_redemption.failed',
      'mf_redemption.reversed',
    ],
    purpose: 'hands the money of a collected installment over, or gives it back',
  },
  {
    service: 'payments',
    types: ['mandate.cancelled', 'mandate.expired'],
    purpose: 'ends the debits that wait on a mandate that has ended',
  },
  {
    service: 'payments',
    types: ['holiday_year.replaced'],
    purpose: 'debits e-mandates on the business days that it leaves',
  },
  {
    service: 'mandates',
    types: [
      'payment.success',
      'payment.failed',
      'payment.rejected',
      'payment.mandate_fact',
      'mandate_fact.received',
    ],
    purpose: 'learns what became of authorisations and debits, and what providers tell of mandates',
  },
  {
    service: 'swp',
    types: [
      'mf_redemption.successful',
      'mf_redemption.failed',
      'mf_redemption.cancelled',
      'mandate.paused',
      'mandate.resumed',
      'mandate.cancelled',
      'mandate.expired',
    ],
    purpose:
      'completes a plan with its last installment, and learns which mandates cannot collect any more, or can again',
  },
  {
    service: 'webhooks',
    types: PUBLIC_EVENT_TYPES,
    purpose: 'keeps the event and sends it to each endpoint that listens',
  },
];

export interface Listener {
  readonly service: ServiceName;
  readonly types: readonly EventType[];
  readonly purpose: string;
}

/** Sent to the one endpoint that asked, straight from the service that is asked. */
const NOT_ON_THE_BUS: readonly EventType[] = ['notification_webhook.test'];

/** What a topic really carries. */
export function carriedBy(topic: Topic): EventType[] {
  return topic.types.filter((type) => !NOT_ON_THE_BUS.includes(type));
}

/** The listeners of a topic, each with what it takes from it. */
export function listenersOf(topic: Topic): Listener[] {
  const carried = carriedBy(topic);
  return LISTENERS.map((listener) => ({
    ...listener,
    types: listener.types.filter((type) => carried.includes(type)),
  })).filter(({ types }) => types.length > 0);
}
