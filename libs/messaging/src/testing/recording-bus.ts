import type { EventEnvelope } from '@fundrail/contracts';
import type { BusHealth, EventBus, PublishOutcome, Subscription } from '../event-bus.port.ts';

/** A bus that records the events it takes, in order, and refuses or delays events when a test wants it. */
export class RecordingBus implements EventBus {
  readonly taken: EventEnvelope[] = [];
  /** Throw to refuse the event, wait to delay it. Called in order for the events of one aggregate. */
  take: (event: EventEnvelope) => Promise<void> | void = () => undefined;

  publish(events: readonly EventEnvelope[]): readonly Promise<PublishOutcome>[] {
    const tails = new Map<string, Promise<PublishOutcome>>();
    return events.map((event) => {
      const before = tails.get(event.aggregate_id) ?? Promise.resolve<PublishOutcome>({ published: true });
      const outcome = before.then((earlier) => (earlier.published ? this.#take(event) : earlier));
      tails.set(event.aggregate_id, outcome);
      return outcome;
    });
  }

  subscribe(): Promise<Subscription> {
    return Promise.reject(new Error('this bus delivers nothing'));
  }

  health(): BusHealth {
    return { live: true, ready: true, detail: null, downSince: null };
  }

  unconsumed(): Promise<number> {
    return Promise.resolve(0);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Sequence numbers in the order in which the bus took them; an event that came twice counts once. */
  sequences(aggregate: string): number[] {
    const own = this.taken.filter((event) => event.aggregate_id === aggregate);
    return [...new Set(own.map((event) => event.sequence))];
  }

  async #take(event: EventEnvelope): Promise<PublishOutcome> {
    try {
      await this.take(event);
      this.taken.push(event);
      return { published: true };
    } catch (error) {
      return { published: false, error: error instanceof Error ? error : new Error(String(error)) };
    }
  }
}
