import { createRequire } from 'node:module';

/** What is touched of kafkajs's inside: the requests of one connection. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Wall time in ms until which the broker wants to hear nothing. */
  readonly throttledUntil: number;
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

const require = createRequire(import.meta.url);
const { prototype } = require('kafkajs/src/network/requestQueue/index.js') as {
  readonly prototype: RequestQueue;
};
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * kafkajs 2.2.4 looks after the waiting requests of a connection by a timer that it sets again and again, with a negative
 * time when nothing waits: a thousand wake-ups a second for each connection of a process that does nothing (4 % of a core for
 * one bus, measured here), and a warning of Node's. Here the timer is set only when something waits or the broker throttles.
 */
prototype.scheduleCheckPendingRequests = function (): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
};
