import { PUBLIC_EVENT_TYPES, type EventType } from '@fundrail/contracts';
import { EventPattern } from '@nestjs/microservices';
import type { Tx } from '@fundrail/persistence';
import type { ReceivedEvent } from './received-event.ts';

/** The context of an event. */
export interface EventContext {
  /** The transaction that holds the inbox row: the effect belongs in it, and commits or rolls back with it. */
  readonly tx: Tx;
  /** 1 on the first try. */
  readonly attempt: number;
}

/** A consumer's method. It makes no remote call (MSG-6). */
type Consume<K extends EventType> = (event: ReceivedEvent<K>, context: EventContext) => Promise<void>;

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
type ConsumeTogether<K extends EventType> = (
  events: readonly ReceivedEvent<K>[],
  context: EventContext,
) => Promise<void>;

type TogetherDecorator<K extends EventType> = <M extends ConsumeTogether<K>>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/** Nest passes this to the strategy for a method that takes several events: what the types of one method have in common. */
export interface TakesTogether {
  readonly together: string;
}

/**
 * Marks a method as the consumer of several events of a type in one transaction, each of another aggregate (decision 0006). For
 * effects that set-based statements add, and that wait for no lock that another group may hold. When one event fails, each is
 * delivered again separately. A type has only this one method.
 */
export function OnEventsTogether<const K extends EventType>(type: K): TogetherDecorator<K> {
  return EventPattern([type], { together: type } satisfies TakesTogether);
}

/** The same for every event that clients may receive (EVT-1): events of different types come in one call. */
export function OnPublicEvents(): TogetherDecorator<EventType> {
  return EventPattern(PUBLIC_EVENT_TYPES, { together: 'public events' } satisfies TakesTogether);
}
