import type { EventEnvelope } from '@fundrail/contracts';
import type { EventBus, GroupSubscription, PublishOutcome, Subscription } from './event-bus.port.ts';

export interface InProcessBusOptions {
  /** Every group of the process. An event is published only when each of them has it, so publishing waits for all to subscribe. */
  readonly groups: readonly string[];
  /** Events handled at the same time in each group; each takes a database connection. 8 unless told otherwise. */
  readonly concurrency?: number;
}

/** The bus of a process that runs all services: one instance, shared by them. */
export class InProcessBus implements EventBus {
  constructor(readonly options: InProcessBusOptions) {}

  publish(_events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    throw new Error('not built yet');
  }

  subscribe(_subscription: GroupSubscription): Promise<Subscription> {
    throw new Error('not built yet');
  }
}
