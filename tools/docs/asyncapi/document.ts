import {
  EMITTERS,
  EVENT_TYPES,
  PUBLIC_EVENT_TYPES,
  stringifyJson,
  TOPICS,
  type EventType,
  type ServiceName,
  type Topic,
} from '@fundrail/contracts';
import { carriedBy, listenersOf } from '../event-flow.ts';
import { goldenFiles } from '../golden.ts';
import { eventMessage, KAFKA, recordHeaders, WEBHOOK_HEADERS, webhookMessage } from './messages.ts';
import { dataSchemas } from './schemas.ts';

const ref = (...path: string[]) => ({ $ref: ['#', ...path].join('/') });

/** AsyncAPI 3.0 of the catalogue: each topic with its messages, senders and receivers, and the webhooks. */
function asyncApi(): object {
  const golden = Map.groupBy(goldenFiles(), ({ type }) => type);
  const examplesOf = (type: EventType) => golden.get(type) ?? [];
  return {
    asyncapi: '3.0.0',
    info: INFO,
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: { ...Object.fromEntries(TOPICS.map((topic) => [topic.name, topicChannel(topic)])), webhooks },
    operations: { ...topicOperations(), 'webhooks.send.webhooks': sendWebhooks },
    components: {
      schemas: { ...dataSchemas(EVENT_TYPES), EventHeaders: recordHeaders, WebhookHeaders: WEBHOOK_HEADERS },
      messages: {
        ...byName(
          TOPICS.flatMap(carriedBy),
          (type) => type,
          (type) => eventMessage(type, examplesOf(type)),
        ),
        ...byName(PUBLIC_EVENT_TYPES, webhookName, (type) => webhookMessage(type, examplesOf(type))),
      },
    },
  };
}

/** `docs/asyncapi.json`, with amounts as on the wire. */
export function asyncApiFile(): string {
  return stringifyJson(asyncApi());
}

const INFO = {
  title: 'fundrail events',
  version: '1.0.0',
  description:
    'The events that the services of fundrail send to each other over Kafka, and to clients by webhook. Events are delivered at least once ' +
    'and in order for each object. Fields are added; a removal is a new version of the event.',
  license: { name: 'Apache-2.0' },
};

const SERVERS = {
  kafka: {
    host: '{brokers}',
    protocol: 'kafka',
    description: 'Between services only. `KAFKA_PREFIX`, if set, is the prefix of topic and group names.',
    variables: {
      brokers: { default: 'localhost:9092', description: '`KAFKA_BROKERS`: host:port, with commas between' },
    },
  },
  endpoint: {
    host: '{host}',
    protocol: 'https',
    description: "A client's own server, registered by `POST /v2/notification_webhooks`.",
    variables: { host: { description: 'as in the registered URL', examples: ['buyer.example.com'] } },
  },
};

function topicChannel(topic: Topic): object {
  const { name, partitions, retentionMs } = topic;
  return {
    address: name,
    description: `The events of each ${name}, published by the service ${EMITTERS[name] ?? '?'}.`,
    servers: [ref('servers', 'kafka')],
    messages: byName(
      carriedBy(topic),
      (type) => type,
      (type) => ref('components', 'messages', type),
    ),
    bindings: {
      kafka: {
        topic: name,
        partitions,
        topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': retentionMs },
        ...KAFKA,
      },
    },
  };
}

/** One `send` of the service that owns each topic, and one `receive` of each that listens. */
function topicOperations(): Record<string, object> {
  return Object.fromEntries(TOPICS.flatMap((topic) => Object.entries(operationsOf(topic))));
}

function operationsOf(topic: Topic): Record<string, object> {
  const emitter = EMITTERS[topic.name];
  if (!emitter) throw new Error(`no service writes ${topic.name}`);
  const operation = (action: string, service: ServiceName, types: readonly EventType[], summary: string) => ({
    action,
    channel: ref('channels', topic.name),
    summary,
    messages: types.map((type) => ref('channels', topic.name, 'messages', type)),
    ...(action === 'receive' && {
      bindings: { kafka: { groupId: { type: 'string', const: service }, ...KAFKA } },
    }),
  });
  return {
    [`${emitter}.send.${topic.name}`]: operation(
      'send',
      emitter,
      carriedBy(topic),
      `${emitter} publishes its events`,
    ),
    ...byName(
      listenersOf(topic),
      ({ service }) => `${service}.receive.${topic.name}`,
      ({ service, types, purpose }) => operation('receive', service, types, `${service} ${purpose}`),
    ),
  };
}

const webhookName = (type: EventType) => `webhook.${type}`;

const webhooks = {
  address: null,
  description:
    'Public events as a client gets them: one POST each to every subscribed URL, by Standard Webhooks 1.0. Answer 2xx ' +
    'within 15 s; anything else is retried for three days.',
  servers: [ref('servers', 'endpoint')],
  messages: byName(
    PUBLIC_EVENT_TYPES,
    (type) => type,
    (type) => ref('components', 'messages', webhookName(type)),
  ),
};

const sendWebhooks = {
  action: 'send',
  channel: ref('channels', 'webhooks'),
  summary: 'webhooks sends them to the endpoints of the tenant',
  bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
};

function byName<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  write: (one: T) => object,
): Record<string, object> {
  return Object.fromEntries(all.map((one) => [nameOf(one), write(one)]));
}
