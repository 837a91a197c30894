/** A header of every record. Its text is UTF-8. */
interface RecordHeader {
  readonly name: string;
  readonly schema: object;
  /** False: only when there is a value. */
  readonly required: boolean;
  readonly meaning: string;
}

/** A description of a record's key. */
export const RECORD_KEY = "the aggregate's id, so that its events stay in one partition, in order";

/** The headers of every record; the spec compares them with those that the bus sends. */
export const RECORD_HEADERS: readonly RecordHeader[] = [
  header('event_id', { type: 'string', pattern: '^evt_[0-9a-f]{32}$' }, 'the same at every redelivery'),
  header('event_type', { type: 'string' }, 'the event type; consumers route by it'),
  header(
    'event_version',
    { type: 'string', pattern: '^[1-9][0-9]*$' },
    'version of the schema, counted from 1',
  ),
  header('tenant', { type: 'string' }, 'whose object it is'),
  header(
    'sequence',
    { type: 'string', pattern: '^[1-9][0-9]*$' },
    "counts the aggregate's events from 1 without gaps",
  ),
  header('occurred_at', { type: 'string', format: 'date-time' }, 'business time, ISO 8601 with offset'),
  {
    ...header('traceparent', { type: 'string' }, 'W3C trace context of the cause of the event'),
    required: false,
  },
];

function header(name: string, schema: object, meaning: string): RecordHeader {
  return { name, schema, meaning, required: true };
}
