import { newTraceparent, runInTrace } from './trace-context.ts';

/** The attributes of a span. Only our own ids and words, no personal data: they leave the process. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A piece of work in a trace. Names and attributes follow OpenTelemetry's semantic conventions where one exists. */
export interface SpanFacts {
  /** Has few distinct values, such as a route without its parameter values. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes: SpanAttributes;
}

/** A running span. */
export interface OpenSpan {
  /** The parent for its own work and for the services that it calls. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** @param failure why the work failed, as a word of few values (`error.type`); null when it did not. */
  end(failure?: string | null): void;
}

/** Records spans. Decision 0022. */
export abstract class Tracing {
  /**
   * Starts a span under a parent, or a trace when that is null. Returns null, without a call of `facts`, when nothing is recorded:
   * then the parent's `traceparent` is passed on unchanged.
   */
  abstract begin(parent: string | null, facts: () => SpanFacts): OpenSpan | null;

  /** The `traceparent` of background work that is not a span itself. */
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
