import type { AskOutcome } from '../http/limits/rate-limits.ts';
import { bareMetrics } from '../testing/bare-metrics.ts';
import { metricsText } from './service-metrics.ts';

describe('the metric of calls to identity about rate limits', () => {
  it('counts them by their outcome', async () => {
    let report: (outcome: AskOutcome) => void = () => undefined;
    const metrics = bareMetrics({ limits: { onAsked: (listener) => void (report = listener) } });
    for (const outcome of ['answered', 'answered', 'failed'] as const) report(outcome);
    const text = await metricsText([metrics]);
    expect(text).toContain('fundrail_rate_limit_asks_total{outcome="answered",service="orders"} 2');
    expect(text).toContain('fundrail_rate_limit_asks_total{outcome="failed",service="orders"} 1');
  });
});
