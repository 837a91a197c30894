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
  byKey,
  ReconciliationCheck,
  type CheckPage,
  type Finding,
  type Window,
} from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { lastEvents, pageOfPublished, type PublishedEventRow } from './published-events.repository.ts';

/**
 * Compares each object's last published event with its row at the service that owns it. A row that is older than its event was restored
 * from a backup. The name and the facts are stored with the findings, so they do not change.
 */
@Injectable()
export class PublishedEventsCheck extends ReconciliationCheck {
  readonly name = 'told events';

  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
  ) {
    super();
  }

  async page(cursor: string | null, { wallFrom, wallTo }: Window): Promise<CheckPage> {
    const rows = await pageOfPublished(this.db, {
      after: cursor ?? firstIdAt('event', wallFrom),
      to: wallTo,
      most: RECONCILIATION_PAGE,
    });
    const last = rows.at(-1);
    return {
      found: await this.compare(rows),
      next: last && rows.length === RECONCILIATION_PAGE ? last.id : null,
      looked: rows.length,
    };
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return this.compare(
      await lastEvents(
        this.db,
        findings.map(({ object }) => object),
      ),
    );
  }

  private async compare(rows: readonly PublishedEventRow[]): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for (const [writer, events] of Map.groupBy(rows, ({ type }) => writerOf(type)))
      if (writer !== null && writer !== 'webhooks')
        found.push(...(await this.behind(writer, newest(events))));
    return found;
  }

  private async behind(
    writer: ServiceName,
    events: readonly PublishedEventRow[],
  ): Promise<readonly Finding[]> {
    const { objects } = await this.services.call(writer, {
      method: 'POST',
      path: '/internal/reconciliation/sequences',
      body: { ids: events.map(({ object_id }) => object_id) },
      answer: sequences,
      retry: true,
    });
    const known = byKey(objects, ({ id }) => id);
    return events.flatMap(({ subject, object_id, tenant, type, sequence }): Finding[] => {
      const here = known.get(object_id)?.sequence;
      const facts = { object_id, written_by: writer, told: type, told_sequence: sequence };
      if (here === undefined) return [{ kind: 'events_of_unknown_object', object: subject, tenant, facts }];
      if (here >= sequence) return [];
      return [
        { kind: 'row_behind_events', object: subject, tenant, facts: { ...facts, row_sequence: here } },
      ];
    });
  }
}

/** For each object, the event with the highest sequence. */
function newest(events: readonly PublishedEventRow[]): readonly PublishedEventRow[] {
  return [
    ...byKey(
      [...events].sort((one, other) => one.sequence - other.sequence),
      ({ subject }) => subject,
    ).values(),
  ];
}

function writerOf(type: string): ServiceName | null {
  return isEventType(type) ? emitterOf(type) : null;
}
