import { inSpan, currentTraceparent, type SpanFacts } from '@fundrail/messaging';
import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { OtelTracing } from './otel-tracing.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const facts = (): SpanFacts => ({
  name: 'due x',
  kind: 'internal',
  attributes: { 'fundrail.due.key': 'mfp_1' },
});

describe('spans by OpenTelemetry', () => {
  const exporter = new InMemorySpanExporter();
  const tracingOf = (ratio: number) =>
    new OtelTracing({ service: 'orders', ratio, processor: new SimpleSpanProcessor({ exporter }) });
  beforeEach(() => exporter.reset());
  const recorded = () => exporter.getFinishedSpans();

  it('are children of the given traceparent, and parents of the work inside them', async () => {
    const tracing = tracingOf(1);
    const inside = await inSpan(tracing, `00-${TRACE_ID}-${PARENT}-01`, facts, () =>
      Promise.resolve(currentTraceparent()),
    );
    const [span] = recorded();
    expect(span?.parentSpanContext).toMatchObject({ traceId: TRACE_ID, spanId: PARENT });
    expect(inside).toBe(`00-${TRACE_ID}-${span?.spanContext().spanId ?? ''}-01`);
    expect(span).toMatchObject({ name: 'due x', attributes: { 'fundrail.due.key': 'mfp_1' } });
    expect(span?.resource.attributes).toMatchObject({ 'service.name': 'orders' });
  });

  it('have failed when their work throws', async () => {
    const broken = inSpan(tracingOf(1), null, facts, () => Promise.reject(new TypeError('of the machine')));
    await expect(broken).rejects.toThrow(TypeError);
    const [span] = recorded();
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span?.attributes['error.type']).toBe('TypeError');
    expect(JSON.stringify(span?.events)).toBe('[]');
  });

  it('are not recorded when the caller does not record, nor when the ratio leaves them out', async () => {
    const unsampled = await inSpan(tracingOf(1), `00-${TRACE_ID}-${PARENT}-00`, facts, () =>
      Promise.resolve(currentTraceparent()),
    );
    expect(unsampled).toMatch(new RegExp(`^00-${TRACE_ID}-[\\da-f]{16}-00$`));
    await inSpan(tracingOf(0), null, facts, () => Promise.resolve());
    expect(recorded()).toEqual([]);
  });

  it.each([
    [1, '01'],
    [0, '00'],
  ])('with a ratio of %s, work without a caller has the flags %s', async (ratio, flags) => {
    const tracing = tracingOf(ratio);
    const traceparent = tracing.newTrace();
    expect(traceparent.slice(-2)).toBe(flags);
    await inSpan(tracing, traceparent, facts, () => Promise.resolve());
    expect(recorded()).toHaveLength(ratio);
  });
});
