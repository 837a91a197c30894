import { NO_TRACING, type Tracing } from '@fundrail/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import type { KitConfig } from '../config/kit-config.ts';

/** The tracing of a process, and how to close it. */
interface OpenedTracing {
  readonly tracing: Tracing;
  /** Sends the remaining spans, for two seconds at most. */
  readonly close: () => Promise<void>;
}

/** How long spans wait to be sent together with others. */
const SEND_EVERY_MS = 1_000;
/** When a collector takes longer, the spans of that call are lost, and a stop does not wait. */
const SEND_LIMIT_MS = 2_000;

type Variables = Pick<KitConfig, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'>;

/**
 * Sends spans to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT` by OTLP over HTTP as JSON. Without the variable OpenTelemetry is not
 * loaded. When the collector is down, only spans are lost.
 */
export async function openTracing(service: string, config: Variables): Promise<OpenedTracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  if (endpoint === undefined) return { tracing: NO_TRACING, close: () => Promise.resolve() };
  const [{ OTLPTraceExporter }, { BatchSpanProcessor }, { OtelTracing }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace'),
    import('./otel-tracing.ts'),
  ]);
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_LIMIT_MS });
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS });
  const tracing = new OtelTracing({ service, ratio, processor });
  const close = async () => {
    const closed = tracing.close().catch(() => undefined);
    await Promise.race([closed, pause(SEND_LIMIT_MS, undefined, { ref: false })]);
  };
  return { tracing, close };
}
