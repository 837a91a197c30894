import {
  eventData,
  EVENTS,
  isEventType,
  parseDroppingNewFields,
  parseJson,
  type EventEnvelope,
  type EventObject,
  type EventType,
} from '@fundrail/contracts';

/** An event as a consumer gets it, with its data parsed by the catalogue's schema. */
export type ReceivedEvent<K extends EventType = EventType> = K extends EventType
  ? {
      readonly id: string;
      readonly type: K;
      readonly version: number;
      /** Business time, ISO 8601 with offset. */
      readonly occurred_at: string;
      readonly tenant: string;
      readonly aggregate_id: string;
      readonly sequence: number;
      /** The data as serialised, byte for byte; a webhook sends this text. */
      readonly data_text: string;
      readonly object: EventObject<K>;
      /** Old values of the changed fields; null on creation. */
      readonly previous_attributes: Readonly<Record<string, unknown>> | null;
      readonly traceparent: string | null;
    }
  : never;

/** An event that no retry can make readable: unknown type, newer version, or data against its schema. It is parked immediately. */
export class UnreadableEvent extends Error {}

/**
 * Parses an envelope by the catalogue. Fields that a newer producer has added are dropped from `object` and kept in `data_text`.
 * Throws `UnreadableEvent`.
 */
export function readEvent(envelope: EventEnvelope): ReceivedEvent {
  const { type, version, data, ...rest } = envelope;
  if (!isEventType(type)) throw new UnreadableEvent(`the event type ${type} is not in the catalogue`);
  if (version > EVENTS[type].version)
    throw new UnreadableEvent(`version ${version} of ${type} is not known here`);
  const { object, previous_attributes } = readData(type, data);
  return { ...rest, type, version, data_text: data, object, previous_attributes } as ReceivedEvent;
}

const makeSchema = (type: EventType) => eventData(EVENTS[type].object);
const schemas = new Map<EventType, ReturnType<typeof makeSchema>>();

/** The schema of a type's data, created once: zod prepares it at first use, which takes longer than parsing an event. */
function schemaOf(type: EventType): ReturnType<typeof makeSchema> {
  const schema = schemas.get(type) ?? makeSchema(type);
  schemas.set(type, schema);
  return schema;
}

function readData(type: EventType, text: string) {
  try {
    return parseDroppingNewFields(schemaOf(type), parseJson(text));
  } catch (error) {
    // A SyntaxError quotes the text, which may be personal.
    const why = error instanceof SyntaxError ? 'it is not JSON' : String(error);
    throw new UnreadableEvent(`the data of this ${type} does not fit its schema: ${why}`);
  }
}
