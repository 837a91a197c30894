import { newTraceparent, runInTrace } from './trace-context.ts';

/** What a span tells. Ids and words of ours only, nothing of a person: it leaves the process. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work of a trace. Names and attributes follow OpenTelemetry's semantic conventions where they have one. */
export interface SpanFacts {
  /** Of few values, such as a route with its parameters unfilled. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes: SpanAttributes;
}

/** A span that is under way. */
export interface OpenSpan {
  /** What its own work, and whoever it calls, takes as the parent. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param failure why the work failed, as a word of few values (`error.type`); null when it did not. */
  end(failure?: string | null): void;
}

/** Where spans go. Decision 0022. */
export abstract class Tracing {
  /**
   * Begins a span under a parent, or a trace when that is null. Answers null, and asks for no facts, where nothing is recorded: then
   * the parent's `traceparent` is handed on as it is.
   */
  abstract begin(parent: string | null, facts: () => SpanFacts): OpenSpan | null;

  /** The `traceparent` of work that nobody asked for, and that is no span itself. */
  abstract newTrace(): string;
}

class NoTracing extends Tracing {
  begin(): null {
    return null;
  }

  newTrace(): string {
    return newTraceparent();
  }
}

/** Records nothing. */
export const NO_TRACING: Tracing = new NoTracing();

/** Runs the work in a span under the parent, and in its trace. A span whose work throws has failed. */
export async function inSpan<T>(
  tracing: Tracing,
  parent: string | null,
  facts: () => SpanFacts,
  work: (span: OpenSpan | null) => Promise<T>,
): Promise<T> {
  const span = tracing.begin(parent, facts);
  if (!span) return runInTrace(parent ?? newTraceparent(), () => work(null));
  try {
    const result = await runInTrace(span.traceparent, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'unknown');
    throw error;
  }
}
