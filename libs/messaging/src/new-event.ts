import { EVENTS, newId, stringifyJson, type EventType } from '@fundrail/contracts';
import { currentTraceparent } from './trace-context.ts';

/** An event as a row of the outbox, inserted by `appendEvents`. */
export interface NewEvent {
  readonly id: string;
  readonly type: EventType;
  readonly version: number;
  readonly tenant: string;
  readonly aggregate_id: string;
  /** Counts the aggregate's events from 1 without gaps. */
  readonly sequence: number;
  /** Business time. */
  readonly occurred_at: Date;
  /** `{"object":…,"previous_attributes":…}`, serialised here and never again. */
  readonly data: string;
  /** W3C trace context of the cause of the event. Null: that of the work that appends it. */
  readonly traceparent: string | null;
}

/** A step of an aggregate: its decision, and the row before. */
interface EmittingStep<Row> {
  /** A `Decision` of state-machines: the row after the step, its `event_seq` counted on, and the step's events in order. */
  readonly decision: { readonly row: Row; readonly events: readonly EventType[] };
  /** The row before the step; null on creation. */
  readonly before: Row | null;
  readonly aggregateId: string;
  /** The object as GET returns it (EVT-3). */
  readonly toObject: (row: Row) => object;
  /** Business time of the step. */
  readonly now: Date;
  /** W3C trace context of the request or event that caused the step; default: that of the running work. */
  readonly traceparent?: string | null;
}

/**
 * The events of one decision, all with the same data. Their sequence numbers end at the row's `event_seq`, so the first
 * of two is one below it.
 */
export function eventsOf<Row extends { readonly event_seq: number; readonly tenant: string }>(
  step: EmittingStep<Row>,
): NewEvent[] {
  const { row, events } = step.decision;
  if (events.length === 0) return [];
  const data = dataText(step);
  const first = row.event_seq - events.length + 1;
  const traceparent = step.traceparent ?? currentTraceparent();
  return events.map((type, index) => ({
    id: newId('event'),
    type,
    version: EVENTS[type].version,
    tenant: row.tenant,
    aggregate_id: step.aggregateId,
    sequence: first + index,
    occurred_at: step.now,
    data,
    traceparent,
  }));
}

function dataText<Row>({ decision, before, toObject }: EmittingStep<Row>): string {
  const object = toObject(decision.row);
  return stringifyJson({
    object,
    previous_attributes: before === null ? null : previousAttributes(toObject(before), object),
  });
}

/**
 * The old values of the top-level fields that changed. Fields are compared as the JSON they become, so that two equal
 * decimals or dates are not a change. A field that did not exist before has null.
 */
export function previousAttributes(before: object, after: object): Record<string, unknown> {
  const old: Record<string, unknown> = { ...before };
  const fresh: Record<string, unknown> = { ...after };
  const changed = Object.keys({ ...old, ...fresh }).filter(
    (field) => stringifyJson(old[field]) !== stringifyJson(fresh[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, old[field] ?? null]));
}
