import {
  emitterOf,
  publishedEvents,
  republished,
  storedNameOf,
  type EventType,
  type ServiceName,
} from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import type { ServiceClient } from '../http/client/service-client.ts';
import { findings, type About } from './compare.ts';
import { gapsOf, notReceived, pageOfGaps, type GapRow } from './event-log.repository.ts';
import { question } from './question.ts';
import type { ReconciliationCheck } from './reconciliation-check.ts';
import { RowsCheck, type RowsDeclared } from './rows-check.ts';

/** Events of the last moment may still be on their way; slower ones have arrived at the second check. */
const ON_ITS_WAY_MS = 2_000;

/** A check for each service that publishes events which this service consumes, and one of its own outbox. */
export function eventChecks(
  self: ServiceName,
  types: readonly EventType[],
  db: Queryable,
  services: ServiceClient,
): ReconciliationCheck[] {
  const missingOf = async (ids: readonly string[]) => new Set(await notReceived(db, storedNameOf(self), ids));
  const writers = [...Map.groupBy(types, emitterOf)];
  return [
    ...writers.map(([from, its]) => new RowsCheck(eventsReceived(from, its, missingOf, services))),
    new RowsCheck(outboxGaps(db)),
  ];
}

/** Compares the published events of one service with this service's inbox. */
function eventsReceived(
  from: ServiceName,
  types: readonly EventType[],
  missingOf: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  services: ServiceClient,
): RowsDeclared<About & { readonly row?: number }> {
  return {
    // Stored with the runs and findings of any release.
    name: `events of ${storedNameOf(from)}`,
    graceMs: ON_ITS_WAY_MS,
    rows: async (after, { wallFrom, wallTo }) => {
      const [start, end] = [wallFrom.toISOString(), wallTo.toISOString()];
      const body = { types, from: start, to: end, after: Number(after) };
      const { events } = await services.call(from, question('events', body, publishedEvents));
      return events.map(({ row, id: object, tenant, type, aggregate_id, sequence }) => ({
        ...{ row, object, tenant },
        facts: { type, aggregate_id, sequence, published_by: from },
      }));
    },
    placeOf: ({ row = 0 }) => row,
    named: (found) => Promise.resolve(found),
    compare: async (events) => {
      const missing = await missingOf(events.map(({ object }) => object));
      return events.flatMap((event) =>
        findings(event, { event_not_received: missing.has(event.object) && {} }),
      );
    },
    // The writer publishes it again. The order within an object stays, because missing events are published in the order of their rows.
    repair: async ({ object }) => {
      const again = question('events/republish', { ids: [object] }, republished);
      return (await services.call(from, again)).republished > 0;
    },
  };
}

/** Checks that the events of an object in the service's own outbox are numbered without a gap. Old events are deleted from the first on. */
function outboxGaps(db: Queryable): RowsDeclared<GapRow> {
  return {
    name: 'outbox',
    rows: (after, { wallFrom, wallTo }) => pageOfGaps(db, Number(after), wallFrom, wallTo),
    placeOf: ({ row }) => row,
    named: (found) =>
      gapsOf(
        db,
        found.map(({ facts }) => facts),
      ),
    // It has no other side: the statement marks a row after a gap as wanted.
    compare: (gaps) =>
      Promise.resolve(
        gaps.flatMap(({ aggregate_id, sequence, tenant }) => {
          const facts = { aggregate_id, sequence, missing: sequence - 1 };
          return findings({ object: `${aggregate_id} ${sequence}`, tenant, facts }, { event_gap: {} });
        }),
      ),
  };
}
