import type { ServiceName } from '../routing-table.ts';
import type { EventType } from './catalogue.ts';

/** The service that writes each topic. A spec of tools/docs compares it with the sources. */
export const EMITTERS: Readonly<Record<string, ServiceName>> = {
  mf_purchase: 'orders',
  mf_redemption: 'orders',
  payment: 'payments',
  mandate_fact: 'payments',
  mandate: 'mandates',
  mf_redemption_plan: 'swp',
  holiday_year: 'swp',
  notification_webhook: 'webhooks',
};

/** The service whose outbox an event comes from. Throws for a topic without one. */
export function emitterOf(type: EventType): ServiceName {
  const emitter = EMITTERS[type.slice(0, type.indexOf('.'))];
  if (!emitter) throw new Error(`no service writes ${type}`);
  return emitter;
}
