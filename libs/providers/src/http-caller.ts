import { parseJson } from '@fundrail/contracts';
import { Pool, request, type Dispatcher } from 'undici';
import { isKeepable } from './callback-json.ts';
import { LINE_RULES, OperationLine, type HeldBack, type LineRules } from './operation-line.ts';
import type { NotDone } from './answer.ts';
import type { Route } from './route.ts';

/** The raw answer, before it is interpreted. `body` is the parsed JSON, or undefined when it is not JSON. */
export type WireAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      /** From Retry-After of a 429 or 503, in milliseconds from now. */
      readonly retry_after_ms?: number;
    }
  | { readonly kind: 'silence'; readonly detail: string }
  | HeldBack;

/** The kind of a call; each field has few distinct values. */
export interface CallKind {
  /** `gatewaypoa`. */
  readonly provider: string;
  readonly method: HttpCall['method'];
  /** The route with `{id}` in place of each value. */
  readonly template: string;
}

/** Observes every call: calls `make` once and returns its result. */
type ObserveCall = (kind: CallKind, make: () => Promise<WireAnswer>) => Promise<WireAnswer>;

export interface HttpCallerOptions {
  /** The prefix of every path: `https://api.example.com`, with or without a path. */
  readonly baseUrl: string;
  /** Replaces the caller's own connection pool, for example in tests. Not closed by the caller. */
  readonly dispatcher?: Dispatcher;
  /** The whole call, from connecting to the last byte. */
  readonly timeoutMs?: number;
  /** For metrics and traces; optional. */
  readonly observe?: ObserveCall;
  /** The business clock, in milliseconds, which measures pauses after failures. Default: the wall clock. */
  readonly businessTime?: () => number;
  /** When calls are held back; default `LINE_RULES`. */
  readonly line?: LineRules;
}

interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

// Long enough for a slow provider, short enough that a due worker's lease (10 s) outlives the call.
const TIMEOUT_MS = 5_000;
// For one operation; each operation has its own connections, so that one that hangs does not affect the others.
const CONNECTIONS = 32;
const LARGEST_ANSWER_BYTES = 1_048_576;

interface Line {
  readonly calls: OperationLine<WireAnswer>;
  readonly dispatcher: Dispatcher;
}

/**
 * HTTP to one outside system: connections, time-out, the largest answer, and a line for each operation (`OperationLine`).
 * Never throws because of the other side.
 */
export class HttpCaller {
  readonly #base: string;
  readonly #options: HttpCallerOptions;
  readonly #lines = new Map<string, Line>();

  /** @param provider the name of the system, for metrics and traces. */
  constructor(
    private readonly provider: string,
    options: HttpCallerOptions,
  ) {
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/$/, '');
  }

  call({ path, template }: Route, call: HttpCall): Promise<WireAnswer> {
    const { observe } = this.#options;
    const { method } = call;
    const { calls, dispatcher } = this.#lineOf(`${method} ${template}`);
    const make = () => calls.run(() => this.#exchange(path, call, dispatcher));
    return observe ? observe({ provider: this.provider, method, template }, make) : make();
  }

  #lineOf(operation: string): Line {
    const known = this.#lines.get(operation);
    if (known) return known;
    const { baseUrl, dispatcher, line: rules = LINE_RULES, businessTime } = this.#options;
    const pool = { connections: CONNECTIONS, maxResponseSize: LARGEST_ANSWER_BYTES };
    const line = {
      calls: new OperationLine(isFailure, rules, businessTime),
      dispatcher: dispatcher ?? new Pool(new URL(baseUrl).origin, pool),
    };
    this.#lines.set(operation, line);
    return line;
  }

  async #exchange(path: string, call: HttpCall, dispatcher: Dispatcher): Promise<WireAnswer> {
    try {
      const answer = await request(`${this.#base}${path}`, {
        ...call,
        headers: { ...call.headers, accept: 'application/json' },
        dispatcher,
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS),
      });
      const retry_after_ms = retryAfterMs(answer.headers['retry-after'], Date.now());
      return {
        kind: 'answered',
        status: answer.statusCode,
        body: jsonOrNothing(await answer.body.text()),
        ...(retry_after_ms === null ? {} : { retry_after_ms }),
      };
    } catch (error) {
      return {
        kind: 'silence',
        detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      };
    }
  }

  /** Waits for running calls and closes the connections. */
  async close(): Promise<void> {
    if (this.#options.dispatcher) return;
    await Promise.all([...this.#lines.values()].map(({ dispatcher }) => dispatcher.close()));
  }
}

/** The other side does not work: no answer, or an error of its own. A refusal, including 429, is an answer. */
function isFailure(answer: WireAnswer): boolean {
  return answer.kind === 'silence' || (answer.kind === 'answered' && answer.status >= 500);
}

// For a 429 without Retry-After.
const USUAL_PAUSE_MS = 5_000;
// Limits for Retry-After: with a wrong date we would retry immediately, or never.
const LEAST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** The meaning of a 429: no call for a while, at least a second and at most an hour. */
export function tooMany(answer: { readonly retry_after_ms?: number }): NotDone {
  const asked = answer.retry_after_ms ?? USUAL_PAUSE_MS;
  const retry_after_ms = Math.min(Math.max(asked, LEAST_PAUSE_MS), LONGEST_PAUSE_MS);
  const detail = `status 429, no call for ${retry_after_ms} ms`;
  return { kind: 'unknown', why: 'too_many_requests', detail, retry_after_ms };
}

/** The answer for a call that we held back. */
export function notSent({ detail, retry_after_ms }: HeldBack): NotDone {
  return { kind: 'unknown', why: 'not_sent', detail, retry_after_ms };
}

/** Reads a Retry-After header, seconds or an HTTP date (RFC 9110 §10.2.3); null when it is missing or unreadable. */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

function jsonOrNothing(text: string): unknown {
  try {
    const body = parseJson(text);
    // An answer that cannot be stored counts as not understood.
    return isKeepable(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
