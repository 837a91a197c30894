import type { ServiceName } from '@fundrail/contracts';
import { sql, type EventBus, type EventStrategy, type OutboxRelay } from '@fundrail/messaging';
import { AggregatorRegistry, Counter, Histogram, Registry, type MetricObject } from 'prom-client';
import type { Database } from '../db/database.ts';
import type { DueWorker } from '../due/due-worker.ts';
import type { RateLimits } from '../http/limits/rate-limits.ts';
import { DURATION_BUCKETS } from './buckets.ts';
import { Lookups, type Sample, type Told } from './lookups.ts';
import { processMetrics } from './process-metrics.ts';

const PARKED = sql(
  'metrics.parked',
  'SELECT count(*) AS parked FROM parked_events WHERE replayed_at IS NULL',
);

/** A histogram: durations in seconds, by OpenTelemetry's buckets where no others are given. */
export interface ToldDurations<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** Each of few values: no id, no path, nothing of a tenant or a person. */
  readonly labelNames?: readonly Label[];
  readonly buckets?: readonly number[];
}

/** What the metrics of a service are read from. `relay`, `bus` and `strategy` are null without a bus. */
export interface MetricSources {
  readonly service: ServiceName;
  readonly database: Pick<Database, 'query' | 'now' | 'connections' | 'onWait'>;
  readonly dueWorker: Pick<DueWorker, 'lags' | 'onEnd'>;
  /** Null: no tenant is held to its limits. */
  readonly limits: Pick<RateLimits, 'onAsked'> | null;
  readonly relay: Pick<OutboxRelay, 'lag' | 'counts'> | null;
  readonly bus: Pick<EventBus, 'unconsumed'> | null;
  readonly strategy: Pick<EventStrategy, 'counts'> | null;
}

/**
 * What Prometheus is told of one service (contract §8). Names follow Prometheus' and OpenTelemetry's conventions, and every label
 * has few values: routes and not paths, kinds and not keys. All have the label `service`, so that the services of one process can
 * be told together.
 */
export class ServiceMetrics {
  readonly registry = new Registry();
  readonly #lookups = new Lookups(this.registry);

  constructor(private readonly sources: MetricSources) {
    this.registry.setDefaultLabels({ service: sources.service });
    this.tellConnections();
    this.tellDueWork();
    this.tellRateLimits();
    this.tellOutbox();
    this.tellConsumer();
  }

  /** The values of now: asks the database and the bus, and leaves out what does not answer within a second. */
  async values(): Promise<MetricObject[]> {
    await this.#lookups.run();
    return this.registry.getMetricsAsJSON();
  }

  /** A histogram of this service, to be observed where something ends. */
  histogram<Label extends string>(told: ToldDurations<Label>): Histogram<Label> {
    const { name, help, labelNames = [], buckets = DURATION_BUCKETS } = told;
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }

  /** Gauges that are asked for when Prometheus comes; what takes longer than a second is left out of that answer. */
  gauges(told: readonly Told[], look: () => Promise<readonly Sample[]>): void {
    this.#lookups.add(told, look);
  }

  private tellConnections(): void {
    const waits = this.histogram({
      name: 'fundrail_database_connection_wait_seconds',
      help: 'For how long callers have waited for a connection, of those that found none idle',
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

  private tellDueWork(): void {
    const { dueWorker, database } = this.sources;
    const ends = new Counter({
      name: 'fundrail_due_work_ended_total',
      help: 'Due work that this process has ended, by its kind and what its handler answered',
      labelNames: ['kind', 'result'],
      registers: [this.registry],
    });
    dueWorker.onEnd((kind, result) => ends.inc({ kind, result }));
    const name = 'fundrail_due_work_lag_seconds';
    const help = 'For how long the oldest due work of a kind has been waiting; 0 when none is due';
    this.#lookups.add([{ name, help, labelNames: ['kind'] }], async () => {
      const lags = await dueWorker.lags(await database.now());
      return [...lags].map(([kind, ms]) => ({ name, labels: { kind }, value: ms / 1000 }));
    });
  }

  private tellRateLimits(): void {
    const asks = new Counter({
      name: 'fundrail_rate_limit_asks_total',
      help: 'Asks of this process for the limits of tenants, by their outcome; after one that failed it keeps them alone for a second',
      labelNames: ['outcome'],
      registers: [this.registry],
    });
    this.sources.limits?.onAsked((outcome) => asks.inc({ outcome }));
  }

  private tellOutbox(): void {
    const { relay } = this.sources;
    if (!relay) return;
    const events = 'fundrail_outbox_unpublished_events';
    const lag = 'fundrail_outbox_lag_seconds';
    this.#lookups.add(
      [
        { name: events, help: 'Events that are written, and not yet on the bus' },
        { name: lag, help: 'For how long the oldest of them has been waiting' },
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
    this.tellCount('fundrail_outbox_published_events_total', help, () => relay.counts().published);
  }

  private tellConsumer(): void {
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
      help: 'Events whose tries have failed, and those that wait behind one: somebody has to look',
    };
    this.#lookups.add([parked], async () => {
      const [row] = await database.query<{ parked: number }>(PARKED);
      return [{ name: parked.name, value: row?.parked ?? 0 }];
    });
    const help = 'Events that this process has consumed';
    this.tellCount('fundrail_events_consumed_total', help, () => strategy.counts().consumed);
  }

  /** A counter that is kept elsewhere. */
  private tellCount(name: string, help: string, count: () => number): void {
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
  const told = await Promise.all([
    ...services.map((service) => service.values()),
    processMetrics().getMetricsAsJSON(),
  ]);
  return AggregatorRegistry.aggregate(told).metrics();
}

/** The content type of `metricsText`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
