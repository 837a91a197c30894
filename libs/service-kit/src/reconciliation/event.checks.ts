import {
  emitterOf,
  publishedEvents,
  RECONCILIATION_PAGE,
  republished,
  type EventType,
  type PublishedEvent,
  type ServiceName,
} from '@fundrail/contracts';
import type { Queryable } from '@fundrail/persistence';
import type { ServiceClient } from '../http/client/service-client.ts';
import { gapsOf, notReceived, pageOfGaps, type GapRow } from './event-log.repository.ts';
import { pageByNumber } from './paged.ts';
import { ReconciliationCheck, type CheckPage, type Finding, type Window } from './reconciliation-check.ts';

/** Events of the last moment may still be on their way; slower ones have arrived at the second check. */
const ON_ITS_WAY_MS = 2_000;

/** Compares the published events of one service with this service's inbox. */
class EventsReceived extends ReconciliationCheck {
  readonly name: string;

  constructor(
    private readonly self: ServiceName,
    private readonly from: ServiceName,
    private readonly types: readonly EventType[],
    private readonly db: Queryable,
    private readonly services: ServiceClient,
  ) {
    super();
    this.name = `events of ${from}`;
  }

  async page(cursor: string | null, { wallFrom, wallTo }: Window): Promise<CheckPage> {
    const { events } = await this.services.call(this.from, {
      method: 'POST',
      path: '/internal/reconciliation/events',
      body: {
        types: this.types,
        from: wallFrom.toISOString(),
        to: new Date(wallTo.getTime() - ON_ITS_WAY_MS).toISOString(),
        after: Number(cursor ?? 0),
      },
      answer: publishedEvents,
      retry: true,
    });
    return pageByNumber(
      events,
      RECONCILIATION_PAGE,
      ({ row }) => row,
      (page) => this.missing(page),
    );
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const ids = findings.map(({ object }) => object);
    const missing = new Set(await notReceived(this.db, this.self, ids));
    return findings.filter(({ object }) => missing.has(object));
  }

  /** The writer publishes it again. The order within an object stays, because missing events are published in the order of their rows. */
  override async repair({ object }: Finding): Promise<boolean> {
    const answer = await this.services.call(this.from, {
      method: 'POST',
      path: '/internal/reconciliation/events/republish',
      body: { ids: [object] },
      answer: republished,
      retry: true,
    });
    return answer.republished > 0;
  }

  private async missing(events: readonly PublishedEvent[]): Promise<readonly Finding[]> {
    const ids = await notReceived(
      this.db,
      this.self,
      events.map(({ id }) => id),
    );
    const missing = new Set(ids);
    return events
      .filter(({ id }) => missing.has(id))
      .map(({ id, tenant, type, aggregate_id, sequence }) => ({
        kind: 'event_not_received',
        object: id,
        tenant,
        facts: { type, aggregate_id, sequence, published_by: this.from },
      }));
  }
}

/** Checks that the events of an object in the service's own outbox are numbered without a gap. Old events are deleted from the first on. */
class OutboxGaps extends ReconciliationCheck {
  readonly name = 'outbox';

  constructor(private readonly db: Queryable) {
    super();
  }

  async page(cursor: string | null, { wallFrom, wallTo }: Window): Promise<CheckPage> {
    const rows = await pageOfGaps(this.db, Number(cursor ?? 0), wallFrom, wallTo);
    const found = (page: typeof rows) => Promise.resolve(page.filter(({ gap }) => gap).map(gapFinding));
    return pageByNumber(
      rows,
      RECONCILIATION_PAGE,
      ({ row }) => row,
      (page) => found([...page]),
    );
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const rows = findings.map(({ facts, tenant }) => ({
      aggregate_id: String(facts['aggregate_id']),
      sequence: Number(facts['sequence']),
      tenant: tenant ?? '',
    }));
    return (await gapsOf(this.db, rows)).map(gapFinding);
  }
}

function gapFinding({ aggregate_id, sequence, tenant }: GapRow): Finding {
  return {
    kind: 'event_gap',
    object: `${aggregate_id} ${sequence}`,
    tenant,
    facts: { aggregate_id, sequence, missing: sequence - 1 },
  };
}

/** A check for each service that publishes events which this service consumes. */
export function eventChecks(
  self: ServiceName,
  types: readonly EventType[],
  db: Queryable,
  services: ServiceClient,
): ReconciliationCheck[] {
  const writers = Map.groupBy(types, emitterOf);
  return [
    ...[...writers].map(([from, consumed]) => new EventsReceived(self, from, consumed, db, services)),
    new OutboxGaps(db),
  ];
}
