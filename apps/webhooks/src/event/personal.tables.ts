import type { PersonalTable } from '@fundrail/service-kit';

// By the index of objects, for deliveries too, which have none by their subject.
const OBJECTS = `ARRAY(SELECT split_part(one, ':', 2) FROM unnest($5::text[]) AS one)`;
const OF_PERSON = `t.tenant = $1 AND t.object_id = ANY (${OBJECTS}) AND t.subject = ANY ($5)`;
const OF_EVENTS = `t.event IN (SELECT t.id FROM events t WHERE ${OF_PERSON})`;
const OF_DELIVERIES = `t.delivery IN (SELECT t.id FROM webhook_deliveries t WHERE ${OF_EVENTS})`;

/** Copies of an investor's objects, and what endpoints answered to them (INV-19). They go as a whole. */
export const WEBHOOKS_PERSONAL: readonly PersonalTable[] = [
  { table: 'delivery_attempts', of: OF_DELIVERIES, erased: 'removed' },
  { table: 'webhook_deliveries', of: OF_EVENTS, erased: 'removed', live: `t.status = 'pending'` },
  { table: 'events', of: OF_PERSON, erased: 'removed' },
];
