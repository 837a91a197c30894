import type { ServiceName } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import type { EventBus, EventStrategy, OutboxRelay } from '@fundrail/messaging';
import { AggregatorRegistry, Counter, Histogram, Registry, type MetricObject } from 'prom-client';
import type { Database } from '../db/database.ts';
import type { DueWorker } from '../due/due-worker.ts';
import type { RateLimits } from '../http/limits/rate-limits.ts';
import { Lookups, type Sample, type GaugeDefinition } from './lookups.ts';
import { processMetrics } from './process-metrics.ts';

const PARKED = sql(
  'metrics.parked',
  'SELECT count(*) AS parked FROM parked_events WHERE replayed_at IS NULL',
);

/** OpenTelemetry's buckets for the duration of requests, in seconds. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A histogram of durations in seconds, with OpenTelemetry's buckets by default. */
interface HistogramDefinition<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** Labels with few values each: no id, no path, nothing about a tenant or a person. */
  readonly labelNames?: readonly Label[];
  readonly buckets?: readonly number[];
}

/** The sources of a service's metrics. `relay`, `bus` and `strategy` are null without a bus. */
export interface MetricSources {
  readonly service: ServiceName;
  readonly database: Pick<Database, 'query' | 'now' | 'connections' | 'onWait'>;
  readonly dueWorker: Pick<DueWorker, 'lags' | 'onEnd'>;
  /** Null: tenants have no rate limits. */
  readonly limits: Pick<RateLimits, 'onAsked'> | null;
  readonly relay: Pick<OutboxRelay, 'lag' | 'counts'> | null;
  readonly bus: Pick<EventBus, 'unconsumed'> | null;
  readonly strategy: Pick<EventStrategy, 'counts'> | null;
}

/**
 * The metrics of one service for Prometheus (OPS-10). Names follow the conventions of Prometheus and OpenTelemetry, and every label
 * has few values: routes and not paths, kinds and not keys. All have the label `service`, so that one process can export several
 * services.
 */
export class ServiceMetrics {
  readonly registry = new Registry();
  readonly #lookups = new Lookups(this.registry);

  constructor(private readonly sources: MetricSources) {
    this.registry.setDefaultLabels({ service: sources.service });
    this.addConnections();
    this.addDueWork();
    this.addRateLimits();
    this.addOutbox();
    this.addConsumer();
  }

  /** The current values. Queries the database and the bus, and leaves out what does not answer within a second. */
  async values(): Promise<MetricObject[]> {
    await this.#lookups.run();
    return this.registry.getMetricsAsJSON();
  }

  /** A histogram of this service; the caller observes each duration. */
  histogram<Label extends string>(definition: HistogramDefinition<Label>): Histogram<Label> {
    const { name, help, labelNames = [], buckets = DURATION_BUCKETS } = definition;
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }

  /** Gauges that are looked up at each scrape; a look-up that takes longer than a second is left out. */
  gauges(definitions: readonly GaugeDefinition[], look: () => Promise<readonly Sample[]>): void {
    this.#lookups.add(definitions, look);
  }

  private addConnections(): void {
    const waits = this.histogram({
      name: 'fundrail_database_connection_wait_seconds',
      help: 'How long callers have waited for a connection that found none idle',
    });
    this.sources.database.onWait((ms) => waits.observe(ms / 1000));
    const name = 'fundrail_database_connections';
    const help = "Connections of the service's pool; `waiting` are callers that wait for one";
    this.#lookups.add([{ name, help, labelNames: ['state'] }], () =>
      Object.entries(this.sources.database.connections()).map(([state, value]) => ({
        ...{ name, labels: { state }, value },
      })),
    );
  }

  private addDueWork(): void {
    const { dueWorker, database } = this.sources;
    const ends = new Counter({
      name: 'fundrail_due_work_ended_total',
      help: 'Due work that this process has ended, by kind and result',
      labelNames: ['kind', 'result'],
      registers: [this.registry],
    });
    dueWorker.onEnd((kind, result) => ends.inc({ kind, result }));
    const name = 'fundrail_due_work_lag_seconds';
    const help = 'How long the oldest due work of a kind has been waiting; 0 when none is due';
    this.#lookups.add([{ name, help, labelNames: ['kind'] }], async () => {
      const lags = await dueWorker.lags(await database.now());
      return [...lags].map(([kind, ms]) => ({ name, labels: { kind }, value: ms / 1000 }));
    });
  }

  private addRateLimits(): void {
    const asks = new Counter({
      name: 'fundrail_rate_limit_asks_total',
      help: 'Calls of this process to identity about the limits of tenants, by outcome; after a failure it decides alone for a second',
      labelNames: ['outcome'],
      registers: [this.registry],
    });
    this.sources.limits?.onAsked((outcome) => asks.inc({ outcome }));
  }

  private addOutbox(): void {
    const { relay } = this.sources;
    if (!relay) return;
    const events = 'fundrail_outbox_unpublished_events';
    const lag = 'fundrail_outbox_lag_seconds';
    this.#lookups.add(
      [
        { name: events, help: 'Events that are written but not yet on the bus' },
        { name: lag, help: 'How long the oldest of them has been waiting' },
      ],
      async () => {
        const { unpublished, oldest_ms } = await relay.lag();
        return [
          { name: events, value: unpublished },
          { name: lag, value: oldest_ms / 1000 },
        ];
      },
    );
    const help = 'Events that this process has published';
    this.addCount('fundrail_outbox_published_events_total', help, () => relay.counts().published);
  }

  private addConsumer(): void {
    const { bus, strategy, service, database } = this.sources;
    if (!bus || !strategy) return;
    const unconsumed = {
      name: 'fundrail_events_unconsumed',
      help: "Published events that the service's group has not consumed yet, over all replicas",
    };
    this.#lookups.add([unconsumed], async () => [
      { name: unconsumed.name, value: await bus.unconsumed(service) },
    ]);
    const parked = {
      name: 'fundrail_events_parked',
      help: 'Events that failed at every attempt, and those that wait behind one: an operator has to act',
    };
    this.#lookups.add([parked], async () => {
      const [row] = await database.query<{ parked: number }>(PARKED);
      return [{ name: parked.name, value: row?.parked ?? 0 }];
    });
    const help = 'Events that this process has consumed';
    this.addCount('fundrail_events_consumed_total', help, () => strategy.counts().consumed);
  }

  /** A counter with a value that is kept elsewhere. */
  private addCount(name: string, help: string, count: () => number): void {
    new Counter({
      ...{ name, help, registers: [this.registry] },
      collect() {
        this.reset();
        this.inc(count());
      },
    });
  }
}

/** In Prometheus' text format: these services, and the process in which they run. */
export async function metricsText(services: readonly ServiceMetrics[]): Promise<string> {
  const metrics = await Promise.all([
    ...services.map((service) => service.values()),
    processMetrics().getMetricsAsJSON(),
  ]);
  return AggregatorRegistry.aggregate(metrics).metrics();
}

/** The content type of `metricsText`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
