import { EMITTERS, EVENT_TYPES, EVENTS, TOPICS, type EventType, type Topic } from '@fundrail/contracts';
import { shapeOf, type Property } from '../../libs/contracts/src/testing/schema-shape.ts';
import { carriedBy, listenersOf, type Listener } from './event-flow.ts';
import { RECORD_HEADERS, RECORD_KEY } from './kafka-record.ts';
import { GENERATED, table } from './markdown.ts';

const CARRIED = new Set(TOPICS.flatMap(carriedBy));
const DAY_MS = 24 * 60 * 60_000;

/** `docs/events.md`: the catalogue, and the data of each event. */
export function eventsPage(): string {
  const objects = new Map(EVENT_TYPES.map((type) => [nameOf(type), EVENTS[type].object]));
  return [
    '# Events',
    GENERATED,
    'Every event, with its data, and when it is sent. [Webhooks](webhooks.md) bring the public ones to your endpoints; the machine-readable form is [asyncapi.json](asyncapi.json). Internal events are sent between services and never to a webhook; a test event goes to the endpoint that requested it and not over Kafka.',
    'Declared in `libs/contracts/src/events/catalogue.ts`; an example of each is in `libs/contracts/src/events/golden`.',
    table(['Type', 'Sent when', 'Version', 'To', '`data.object`'], EVENT_TYPES.map(lineOf)),
    '`data` is `{ "object": …, "previous_attributes": … }`: the object as its GET returns it, and the old values of the fields that changed (null on creation).',
    ...kafkaPart(),
    ...[...objects].flatMap(([name, object]) => [
      `## ${name}`,
      table(['Field', 'Type', 'Null', 'Always there'], shapeOf(object).map(fieldLine)),
    ]),
  ].join('\n\n');
}

/** The topics, and the parts of a record. */
function kafkaPart(): string[] {
  return [
    '## Topics',
    'One topic for each kind of object, declared in `libs/contracts/src/events/topics.ts`. Services create them at deployment (`migrate`). `KAFKA_PREFIX` is the prefix of topic and group names. Each listening service is one consumer group; its replicas share the partitions.',
    table(['Topic', 'Partitions', 'Kept', 'Written by', 'Listened to by'], TOPICS.map(topicLine)),
    '## A record',
    `The value is \`data\` as it was written in the transaction of the change, byte for byte; it is never parsed and serialised again. The key is ${RECORD_KEY}. Headers are text:`,
    table(
      ['Header', 'Is', 'Always there'],
      RECORD_HEADERS.map(({ name, meaning, required }) => [`\`${name}\``, meaning, required ? 'yes' : 'no']),
    ),
  ];
}

function topicLine(topic: Topic): string[] {
  const listeners = listenersOf(topic).map(
    (listener) => `${listener.service} (${share(topic, listener)}): ${listener.purpose}`,
  );
  const days = `${topic.retentionMs / DAY_MS} days`;
  return [
    `\`${topic.name}\``,
    String(topic.partitions),
    days,
    EMITTERS[topic.name] ?? '?',
    listeners.join('; '),
  ];
}

/** The topic's types that a listener handles, in the shorter form. */
function share(topic: Topic, { types }: Listener): string {
  const left = carriedBy(topic).filter((type) => !types.includes(type));
  if (left.length === 0) return 'all';
  return left.length < types.length ? `all but ${codes(left)}` : codes(types);
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

function nameOf(type: (typeof EVENT_TYPES)[number]): string {
  return EVENTS[type].object.meta()?.id ?? type;
}

function lineOf(type: (typeof EVENT_TYPES)[number]): string[] {
  const { when, version } = EVENTS[type];
  const name = nameOf(type);
  const to = audience(type);
  return [`\`${type}\``, when, String(version), to, `[${name}](#${name.toLowerCase()})`];
}

function audience(type: EventType): string {
  if (!EVENTS[type].public) return 'services only';
  return CARRIED.has(type) ? 'clients and services' : 'one client';
}

function fieldLine({ path, type, nullable, optional }: Property): string[] {
  return [`\`${path}\``, type, nullable ? 'may be' : 'never', optional ? 'no' : 'yes'];
}
