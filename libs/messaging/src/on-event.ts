import { PUBLIC_EVENT_TYPES, type EventType } from '@fundrail/contracts';
import { EventPattern } from '@nestjs/microservices';
import type { Tx } from './database.port.ts';
import type { ReceivedEvent } from './received-event.ts';

/** What a consumer gets besides the event. */
export interface EventContext {
  /** The transaction that holds the inbox row: the effect belongs in it, and commits or rolls back with it. */
  readonly tx: Tx;
  /** 1 on the first try. */
  readonly attempt: number;
}

/** A consumer's method. It makes no remote call (architecture, rule 5). */
export type Consume<K extends EventType> = (event: ReceivedEvent<K>, context: EventContext) => Promise<void>;

type ConsumerDecorator<K extends EventType> = <M extends Consume<K>>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * Marks a controller's method as the consumer of event types: `@OnEvent('payment.failed') async on(@Payload() event:
 * ReceivedEvent<'payment.failed'>, @Ctx() context: EventContext)`. A method with another payload does not compile.
 */
export function OnEvent<const K extends EventType>(...types: [K, ...K[]]): ConsumerDecorator<K> {
  return EventPattern(types);
}

/** A consumer's method that takes several events. */
export type ConsumeTogether<K extends EventType> = (
  events: readonly ReceivedEvent<K>[],
  context: EventContext,
) => Promise<void>;

type TogetherDecorator<K extends EventType> = <M extends ConsumeTogether<K>>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** What Nest hands to the strategy about a method that takes several events. */
export const TAKES_TOGETHER = { together: true } as const;

/**
 * Marks a method as the consumer of events of a type that come at the same time, each of another aggregate, in one transaction
 * (decision 0006): for effects that are added by set-based statements, and wait for no lock that another group may hold. When one
 * of them fails, each comes again by itself. A type has one such method, and no other.
 */
export function OnEventsTogether<const K extends EventType>(type: K): TogetherDecorator<K> {
  return EventPattern([type], TAKES_TOGETHER);
}

/** Marks a method as the consumer of every event that clients may receive (contract §6). */
export function OnPublicEvents(): ConsumerDecorator<EventType> {
  return EventPattern(PUBLIC_EVENT_TYPES);
}
