import { definitions } from '@fundrail/standalone';
import { storedNameOf, type EventType, type ServiceName } from '@fundrail/contracts';
import { handledTypes } from '@fundrail/messaging/testing';
import type { GroupInbox, OutboxEvent } from './event-audit.ts';
import type { DatabaseView } from './product-databases.ts';

const OUTBOX = `SELECT event_id AS id, type, version, tenant, aggregate_id, sequence, data FROM outbox ORDER BY id`;
const INBOX = `SELECT event_id AS id FROM inbox WHERE consumer_group = $1`;

/** The events of all services, as they were written. */
export function readOutboxes(databases: DatabaseView): Promise<OutboxEvent[]> {
  return databases.everywhere<OutboxEvent>(OUTBOX);
}

/** The inbox of each service that consumes events, with the types of its handlers. */
export async function readInboxes(databases: DatabaseView): Promise<GroupInbox[]> {
  return Promise.all(
    consumers().map(async ({ group, types }) => {
      const rows = await databases.rows<{ id: string }>(group, INBOX, [storedNameOf(group)]);
      return { group, types, ids: rows.map(({ id }) => id) };
    }),
  );
}

/** The groups of the product: the services that handle any event. */
function consumers(): { readonly group: ServiceName; readonly types: ReadonlySet<EventType> }[] {
  return definitions(true)
    .map(({ name, module }) => ({ group: name, types: handledTypes(module) }))
    .filter(({ types }) => types.size > 0);
}
