import type { EventEnvelope } from '@fundrail/contracts';
import { topicOf, type EventBus, type PublishOutcome } from './event-bus.port.ts';
import type { SpanAttributes, SpanFacts, Tracing } from './tracing.port.ts';

/**
 * Publishes events, each in its own producer span, which is the parent of the consumers' spans. So the outbox row has the trace
 * context of the cause of the event, and the message that of its publication.
 */
export function publishInSpans(
  tracing: Tracing,
  bus: EventBus,
  events: readonly EventEnvelope[],
): readonly Promise<PublishOutcome>[] {
  const spans = events.map((event) => tracing.begin(event.traceparent, () => sendingOf(event)));
  const sent = events.map((event, index) => {
    const span = spans[index];
    return span ? { ...event, traceparent: span.traceparent } : event;
  });
  const outcomes = bus.publish(sent);
  for (const [index, span] of spans.entries())
    if (span) void outcomes[index]?.then(({ published }) => span.end(published ? null : 'not_taken'));
  return outcomes;
}

/** The span of one consumer's work on an event. */
export function processingOf(group: string, event: EventEnvelope): SpanFacts {
  return {
    name: `process ${topicOf(event.type)}`,
    kind: 'consumer',
    attributes: { ...attributesOf('process', event), 'messaging.consumer.group.name': group },
  };
}

function sendingOf(event: EventEnvelope): SpanFacts {
  return { name: `send ${topicOf(event.type)}`, kind: 'producer', attributes: attributesOf('send', event) };
}

/** Kafka's conventions for both buses: the in-process bus has topics and keys too. */
function attributesOf(operation: 'send' | 'process', event: EventEnvelope): SpanAttributes {
  return {
    'messaging.system': 'kafka',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': topicOf(event.type),
    'messaging.message.id': event.id,
    'messaging.kafka.message.key': event.aggregate_id,
    'fundrail.event.type': event.type,
    'fundrail.tenant': event.tenant,
  };
}
