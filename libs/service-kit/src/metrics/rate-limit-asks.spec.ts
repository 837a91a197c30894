import type { AskOutcome } from '../http/limits/rate-limits.ts';
import { bareMetrics } from '../testing/bare-metrics.ts';
import { metricsText } from './service-metrics.ts';

describe('the metric of asks for the limits of tenants', () => {
  it('counts them by their outcome', async () => {
    let tell: (outcome: AskOutcome) => void = () => undefined;
    const metrics = bareMetrics({ limits: { onAsked: (listener) => void (tell = listener) } });
    for (const outcome of ['answered', 'answered', 'failed'] as const) tell(outcome);
    const text = await metricsText([metrics]);
    expect(text).toContain('fundrail_rate_limit_asks_total{outcome="answered",service="orders"} 2');
    expect(text).toContain('fundrail_rate_limit_asks_total{outcome="failed",service="orders"} 1');
  });
});
