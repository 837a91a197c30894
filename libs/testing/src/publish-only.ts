import type { EventBus } from '@fundrail/messaging';

/** The bus of a replica that publishes but does not consume: the first replica does. */
export function publishOnly(bus: EventBus): EventBus {
  return {
    publish: (events) => bus.publish(events),
    subscribe: () => Promise.resolve({ stop: () => Promise.resolve() }),
    health: () => bus.health(),
    unconsumed: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  };
}
