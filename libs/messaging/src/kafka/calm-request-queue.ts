import type {} from './kafkajs-internals.d.ts';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const schedule = Object.getOwnPropertyDescriptor(RequestQueue.prototype, 'scheduleCheckPendingRequests')
  ?.value as (this: RequestQueue) => void;

/**
 * kafkajs 2.2.4 looks after the waiting requests of a connection by a timer that it sets again and again, with a negative
 * time when nothing waits: a thousand wake-ups a second for each connection of a process that does nothing (4 % of a core for
 * one bus, measured here), and a warning of Node's. Here the timer is set only when something waits or the broker throttles.
 */
RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
};
