import { createRequire } from 'node:module';

/** The internals of kafkajs that are changed here: the requests of one connection. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Wall time in ms until which the broker throttles this client. */
  readonly throttledUntil: number;
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

const require = createRequire(import.meta.url);
const { prototype } = require('kafkajs/src/network/requestQueue/index.js') as {
  readonly prototype: RequestQueue;
};
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 checks the waiting requests of a connection with a timer that it always sets again, with a negative time when
 * nothing waits: a thousand wake-ups per second for each connection of an idle process (4 % of a core for one bus, measured
 * here), and a warning from Node. Here the timer is set only when something waits or the broker throttles.
 */
prototype.scheduleCheckPendingRequests = function (): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
};
