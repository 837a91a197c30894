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
import { lastEvents, pageOfTold, type ToldEvent } from './told-events.repository.ts';

/** What clients were told of each object, against how far its own row has come: a row that is older was restored. */
@Injectable()
export class ToldEventsCheck extends ReconciliationCheck {
  readonly name = 'told events';

  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
  ) {
    super();
  }

  async page(cursor: string | null, { wallFrom, wallTo }: Window): Promise<CheckPage> {
    const rows = await pageOfTold(this.db, {
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

  private async compare(rows: readonly ToldEvent[]): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for (const [writer, told] of Map.groupBy(rows, ({ type }) => writerOf(type)))
      if (writer !== null && writer !== 'webhooks') found.push(...(await this.behind(writer, newest(told))));
    return found;
  }

  private async behind(writer: ServiceName, told: readonly ToldEvent[]): Promise<readonly Finding[]> {
    const { objects } = await this.services.call(writer, {
      method: 'POST',
      path: '/internal/reconciliation/sequences',
      body: { ids: told.map(({ object_id }) => object_id) },
      answer: sequences,
      retry: true,
    });
    const known = byKey(objects, ({ id }) => id);
    return told.flatMap(({ subject, object_id, tenant, type, sequence }): Finding[] => {
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

/** Of each object the event with the highest number. */
function newest(told: readonly ToldEvent[]): readonly ToldEvent[] {
  return [
    ...byKey(
      [...told].sort((one, other) => one.sequence - other.sequence),
      ({ subject }) => subject,
    ).values(),
  ];
}

function writerOf(type: string): ServiceName | null {
  return isEventType(type) ? emitterOf(type) : null;
}
