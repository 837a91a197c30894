/** The one inside of kafkajs that is touched; see `calm-request-queue.ts`. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The requests of one connection. */
  export default class RequestQueue {
    readonly pending: readonly unknown[];
    /** Wall time in ms until which the broker wants to hear nothing. */
    readonly throttledUntil: number;
    scheduleCheckPendingRequests(): void;
  }
}
