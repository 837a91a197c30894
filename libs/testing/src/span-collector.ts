import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** A collector of traces: OTLP over HTTP as JSON. Keeps what it receives. */
export class SpanCollector {
  readonly spans: CollectedSpan[] = [];
  /** All requests that it received, byte for byte. */
  readonly bodies: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        this.bodies.push(text);
        this.spans.push(...spansIn(JSON.parse(text) as WireTraces));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<SpanCollector> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SpanCollector(server);
  }

  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The span, its parent, and so on up, as far as they have arrived. */
  lineOf(spanId: string): CollectedSpan[] {
    const span = this.spans.find((one) => one.spanId === spanId);
    return span ? [span, ...this.lineOf(span.parentSpanId)] : [];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
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
