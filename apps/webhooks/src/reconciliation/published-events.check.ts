import {
  emitterOf,
  firstIdAt,
  isEventType,
  RECONCILIATION_PAGE,
  sequences,
  type ServiceName,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import {
  checkOf,
  compare,
  objectsIn,
  question,
  RowsCheck,
  type Finding,
} from '@fundrail/service-kit/reconciliation';
import { lastEvents, pageOfPublished, type PublishedEventRow } from './published-events.repository.ts';

/**
 * Compares each object's last published event with its row at the service that owns it. A row that is older than its event was restored
 * from a backup. The name and the facts are stored with the findings, so they do not change.
 */
export const publishedEventsCheck = checkOf(
  RowsCheck<PublishedEventRow>,
  [Database, ServiceClient],
  (db, services) => ({
    name: 'told events',
    rows: (after, { wallFrom, wallTo: to }) =>
      pageOfPublished(db, { after: after || firstIdAt('event', wallFrom), to, most: RECONCILIATION_PAGE }),
    placeOf: ({ id }) => id,
    named: (found) => lastEvents(db, objectsIn(found)),
    compare: async (rows) => {
      const found: Finding[] = [];
      for (const [writer, events] of Map.groupBy(rows, ({ type }) => writerOf(type)))
        if (writer !== null && writer !== 'webhooks')
          found.push(...(await behind(services, writer, newest(events))));
      return found;
    },
  }),
);

async function behind(
  services: ServiceClient,
  written_by: ServiceName,
  events: readonly PublishedEventRow[],
): Promise<readonly Finding[]> {
  const ids = events.map(({ object_id }) => object_id);
  const { objects } = await services.call(written_by, question('sequences', { ids }, sequences));
  return compare(events, objects, {
    keyOf: ({ object_id }) => object_id,
    otherKeyOf: ({ id }) => id,
    about: ({ subject: object, object_id, tenant, type, sequence }) => ({
      ...{ object, tenant },
      facts: { object_id, written_by, told: type, told_sequence: sequence },
    }),
    missing: () => ({ events_of_unknown_object: {} }),
    differing: (event, { sequence }) => ({
      row_behind_events: sequence < event.sequence && { row_sequence: sequence },
    }),
  });
}

/** For each object, the event with the highest sequence. */
function newest(events: readonly PublishedEventRow[]): readonly PublishedEventRow[] {
  const sorted = [...events].sort((one, other) => one.sequence - other.sequence);
  return [...new Map(sorted.map((event) => [event.subject, event])).values()];
}

function writerOf(type: string): ServiceName | null {
  return isEventType(type) ? emitterOf(type) : null;
}
