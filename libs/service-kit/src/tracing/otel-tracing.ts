import { Tracing, newTraceparent, readTraceparent, type OpenSpan, type SpanFacts } from '@fundrail/messaging';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';

interface OtelOptions {
  /** The `service.name` of the spans. */
  readonly service: string;
  /** The share of the traces starting here that is recorded, 0 to 1; a trace from outside is recorded when its caller records it. */
  readonly ratio: number;
  readonly processor: SpanProcessor;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanFacts['kind'], SpanKind>;

/**
 * Spans by OpenTelemetry's SDK. A parent is passed as its `traceparent`, in rows, headers and our own context: the SDK's context is
 * not used, and nothing is patched.
 */
export class OtelTracing extends Tracing {
  readonly #sampler: Sampler;
  readonly #provider: TracerProvider;
  readonly #tracer;

  constructor({ service, ratio, processor }: OtelOptions) {
    super();
    this.#sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
    this.#provider = new TracerProvider({
      sampler: this.#sampler,
      resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'fundrail' }),
      spanProcessors: [processor],
    });
    this.#tracer = this.#provider.getTracer('fundrail');
  }

  begin(parent: string | null, facts: () => SpanFacts): OpenSpan {
    const { name, kind, attributes } = facts();
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${flagsText(traceFlags)}`,
      set: (more) => void span.setAttributes(more),
      end: (failure = null) => {
        if (failure !== null)
          span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  newTrace(): string {
    const [version = '', traceId = '', spanId = ''] = newTraceparent().split('-');
    const { decision } = this.#sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, []);
    const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
    return `${version}-${traceId}-${spanId}-${flagsText(isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE)}`;
  }

  /** Sends the remaining spans, and records no more. */
  close(): Promise<void> {
    return this.#provider.shutdown();
  }
}

function contextOf(parent: string | null): Context {
  const [, traceId = '', spanId = '', flags = ''] = readTraceparent(parent)?.split('-') ?? [];
  if (traceId === '') return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function flagsText(flags: number): string {
  return flags.toString(16).padStart(2, '0');
}
