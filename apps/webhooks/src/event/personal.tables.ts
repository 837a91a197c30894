import type { PersonalTable } from '@fundrail/service-kit';

const OF_PERSON = 't.tenant = $1 AND t.subject = ANY ($5)';
const OF_DELIVERIES = `t.delivery IN (SELECT t.id FROM webhook_deliveries t WHERE ${OF_PERSON})`;

/** Copies of an investor's objects, and what endpoints answered to them (INV-19). They go as a whole. */
export const WEBHOOKS_PERSONAL: readonly PersonalTable[] = [
  { table: 'delivery_attempts', of: OF_DELIVERIES, erased: 'removed' },
  { table: 'webhook_deliveries', of: OF_PERSON, erased: 'removed', live: `t.status = 'pending'` },
  {
    table: 'events',
    // By the index of objects.
    of: `${OF_PERSON} AND t.object_id = ANY (SELECT split_part(one, ':', 2) FROM unnest($5::text[]) AS one)`,
    erased: 'removed',
  },
];
