import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LocalServer } from './local-server.ts';

/** A span as it arrived. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  /** OTLP's number: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty at the root of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'service' | 'attributes' | 'parentSpanId'> & {
        readonly parentSpanId?: string;
        readonly attributes: readonly WireAttribute[];
      })[];
    }[];
  }[];
}

/** A collector of traces: OTLP over HTTP as JSON. Keeps what it receives; its `url` is for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export class SpanCollector extends LocalServer {
  readonly spans: CollectedSpan[] = [];
  /** All requests that it received, byte for byte. */
  readonly bodies: string[] = [];

  /** The span, its parent, and so on up, as far as they have arrived. */
  lineOf(spanId: string): CollectedSpan[] {
    const span = this.spans.find((one) => one.spanId === spanId);
    return span ? [span, ...this.lineOf(span.parentSpanId)] : [];
  }

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.bodies.push(body);
    this.spans.push(...spansIn(JSON.parse(body) as WireTraces));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
}

function spansIn({ resourceSpans }: WireTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = textsOf(resource.attributes)['service.name'] ?? '';
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...{ ...span, service, parentSpanId: span.parentSpanId ?? '' },
        attributes: textsOf(span.attributes),
      })),
    );
  });
}

function textsOf(attributes: readonly WireAttribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
