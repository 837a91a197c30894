import { bulkhead, circuitBreaker, CircuitState, CountBreaker, handleWhenResult } from 'cockatiel';

/** When calls of one operation are held back (decision 0024). */
export interface LineRules {
  /** Calls at once, those included that wait for a connection. */
  readonly mostInFlight: number;
  /** The circuit opens when more than half of the last so many calls failed. */
  readonly judgedCalls: number;
  /** For how long it stays open, in wall milliseconds; then one call tries it. */
  readonly openMs: number;
}

export const LINE_RULES: LineRules = {
  // Room for what a due worker and a batch of debits send at once, at a provider that answers in time. Two for each connection:
  // of more, the last would be sent with hardly any of its time left, and be given up half-way.
  mostInFlight: 64,
  judgedCalls: 20,
  openMs: 10_000,
};

/** The call was not made, for certain. It may be made after so many milliseconds. */
export interface HeldBack {
  readonly kind: 'not_sent';
  readonly detail: string;
  readonly retry_after_ms: number;
}

/** After which a call is made that found too many others under way. */
const FULL_RETRY_MS = 1_000;
/** The calls that are judged first: the window is full only then. */
const LEAST_JUDGED = 0.5;

/**
 * The calls of one operation at one outside system: a bulkhead, so that one that hangs keeps no more than its share, and a
 * circuit breaker, so that one that fails is left alone for a while. What they hold back is answered at once and was not sent.
 */
export class OperationLine<T> {
  readonly #rules: LineRules;
  readonly #places;
  readonly #circuit;
  #openedAt = 0;

  /** `failed`: which answers say that the other side does not work. */
  constructor(failed: (answer: T) => boolean, rules: LineRules = LINE_RULES) {
    const { judgedCalls, mostInFlight, openMs } = rules;
    this.#rules = rules;
    this.#places = bulkhead(mostInFlight);
    const policy = handleWhenResult((answer) => failed(answer as T));
    const minimumNumberOfCalls = Math.ceil(judgedCalls * LEAST_JUDGED);
    this.#circuit = circuitBreaker(policy, {
      halfOpenAfter: openMs,
      breaker: new CountBreaker({ threshold: 0.5, size: judgedCalls, minimumNumberOfCalls }),
    });
    this.#circuit.onBreak(() => (this.#openedAt = Date.now()));
  }

  /** Whether calls are held back because those before have failed. */
  get isOpen(): boolean {
    return this.#circuit.state !== CircuitState.Closed;
  }

  async run(call: () => Promise<T>): Promise<T | HeldBack> {
    if (this.#places.executionSlots <= 0) return heldBack('too many calls are under way', FULL_RETRY_MS);
    const closedForMs = this.#closedForMs();
    if (closedForMs > 0) return heldBack('the calls before have failed', closedForMs);
    return this.#places.execute(() => this.#circuit.execute(call));
  }

  /** Milliseconds until the next call may be made. While one tries whether the other side is back, the rest does not wait for it. */
  #closedForMs(): number {
    const { state } = this.#circuit;
    if (state === CircuitState.Closed) return 0;
    if (state === CircuitState.HalfOpen) return FULL_RETRY_MS;
    return this.#openedAt + this.#rules.openMs - Date.now();
  }
}

function heldBack(detail: string, retry_after_ms: number): HeldBack {
  return { kind: 'not_sent', detail, retry_after_ms };
}
