import { bulkhead, circuitBreaker, CircuitState, CountBreaker, handleWhenResult } from 'cockatiel';

/** When calls of one operation are held back (decision 0024). */
export interface LineRules {
  /** The most calls at the same time, including those that wait for a connection. */
  readonly mostInFlight: number;
  /** The circuit opens when more than half of this many last calls failed. */
  readonly judgedCalls: number;
  /** How long it stays open, in milliseconds of the line's clock; then one call tries the other side. */
  readonly openMs: number;
}

export const LINE_RULES: LineRules = {
  // Enough for a due worker and a batch of debits at a provider that answers in time. Two per connection: with more, the last
  // call would be sent with hardly any time left and be aborted.
  mostInFlight: 64,
  judgedCalls: 20,
  openMs: 10_000,
};

/** The call was certainly not made. It may be made after this many milliseconds. */
export interface HeldBack {
  readonly kind: 'not_sent';
  readonly detail: string;
  readonly retry_after_ms: number;
}

/** The retry time for a call that found too many others running. */
const FULL_RETRY_MS = 1_000;
/** The fraction of the window that must be filled before it is judged. */
const LEAST_JUDGED = 0.5;

/**
 * The calls of one operation at one outside system: a bulkhead, so that a hanging operation uses only its share, and a circuit
 * breaker, so that a failing one is not called for a while. A call that they hold back is answered immediately and not sent.
 */
export class OperationLine<T> {
  readonly #rules: LineRules;
  readonly #places;
  readonly #circuit;
  readonly #now: () => number;
  #openedAt = 0;

  /**
   * `failed`: which answers mean that the other side does not work. `now`: the clock of the retries; when it jumps, as in the
   * sandbox, the pause ends too.
   */
  constructor(
    failed: (answer: T) => boolean,
    rules: LineRules = LINE_RULES,
    now: () => number = () => Date.now(),
  ) {
    const { judgedCalls, mostInFlight } = rules;
    this.#rules = rules;
    this.#now = now;
    this.#places = bulkhead(mostInFlight);
    const policy = handleWhenResult((answer) => failed(answer as T));
    const minimumNumberOfCalls = Math.ceil(judgedCalls * LEAST_JUDGED);
    this.#circuit = circuitBreaker(policy, {
      // The library knows only the wall clock, so the time is checked here (`#closedForMs`).
      halfOpenAfter: Number.NEGATIVE_INFINITY,
      breaker: new CountBreaker({ threshold: 0.5, size: judgedCalls, minimumNumberOfCalls }),
    });
    this.#circuit.onBreak(() => (this.#openedAt = this.#now()));
  }

  /** Whether calls are held back because earlier ones failed. */
  get isOpen(): boolean {
    return this.#circuit.state !== CircuitState.Closed;
  }

  async run(call: () => Promise<T>): Promise<T | HeldBack> {
    if (this.#places.executionSlots <= 0) return heldBack('too many calls are under way', FULL_RETRY_MS);
    const closedForMs = this.#closedForMs();
    if (closedForMs > 0) return heldBack('the calls before have failed', closedForMs);
    return this.#places.execute(() => this.#circuit.execute(call));
  }

  /** Milliseconds until the next call may be made. While one call tries the other side, the others do not wait for it. */
  #closedForMs(): number {
    const { state } = this.#circuit;
    if (state === CircuitState.Closed) return 0;
    if (state === CircuitState.HalfOpen) return FULL_RETRY_MS;
    const sinceMs = this.#now() - this.#openedAt;
    // A clock that was set back must not block calls.
    return sinceMs < 0 ? 0 : this.#rules.openMs - sinceMs;
  }
}

function heldBack(detail: string, retry_after_ms: number): HeldBack {
  return { kind: 'not_sent', detail, retry_after_ms };
}
