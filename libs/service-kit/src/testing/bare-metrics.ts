import { metricsText, ServiceMetrics, type MetricSources } from '../metrics/service-metrics.ts';

/** The metrics of a service with only the values that a test observes. */
export function bareMetrics(over: Partial<MetricSources> = {}): ServiceMetrics {
  return new ServiceMetrics({
    service: 'orders',
    database: {
      query: () => Promise.resolve([]),
      now: () => Promise.resolve(new Date(0)),
      connections: () => ({ busy: 0, idle: 0, waiting: 0 }),
      onWait: () => undefined,
    },
    dueWorker: { lags: () => Promise.resolve(new Map()), onEnd: () => undefined },
    ...{ limits: null, relay: null, bus: null, strategy: null },
    ...over,
  });
}

/** How many values each series of a histogram has, by the values of its labels. */
export async function countsOf(metrics: ServiceMetrics, name: string): Promise<Record<string, number>> {
  const text = await metricsText([metrics]);
  const counts = [...text.matchAll(new RegExp(`^${name}_count\\{(.*)\\} (\\d+)$`, 'gm'))];
  return Object.fromEntries(
    counts.map(([, labels = '', count]) => {
      const shown = [...labels.matchAll(/(\w+)="([^"]*)"/g)].filter(([, label]) => label !== 'service');
      return [shown.map(([, , text = '']) => text).join(' | '), Number(count)];
    }),
  );
}
