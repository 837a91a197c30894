import { Edge } from '@fundrail/standalone';
import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { createTopics } from '@fundrail/messaging';
import { readKafkaConfig } from '@fundrail/service-kit';
import { fixedPort } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import { ApiClient } from '../api-client.ts';
import { ProductDatabases, type OwnServers } from '../crash/product-databases.ts';
import { Balancer } from './balancer.ts';
import { Replica } from './replica.ts';
import { UnsteadyLink } from './unsteady-link.ts';

export interface FleetOptions {
  /** A PostgreSQL server; the fleet creates its own databases on it and drops them when it stops. */
  readonly databaseUrl: string;
  /** Services with their database on another server, so that a test can stop it for them alone. */
  readonly ownServers?: OwnServers;
  readonly brokers: readonly string[];
  /** Processes of each service; one by default. */
  readonly replicas?: Partial<Record<ServiceName, number>>;
  /** Further variables for every process; they override the fleet's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the processes serve metrics (`Replica.opsUrl`). */
  readonly metrics?: boolean;
  /** Whether the services and the simulated outside systems are connected by a link that a test can cut (`provider`). */
  readonly providerProxy?: boolean;
}

/** Variables of a test run that no service may inherit. */
const UNSET = { DATABASE_URL: undefined, OPS_PORT: undefined, EVENT_BUS: undefined };

/**
 * The product as its processes: every service of the sandbox with its own database and replicas, Kafka between them, and one
 * edge in front with the routing table of the contracts. For tests that kill, stop and start processes.
 */
export class Fleet {
  /** The link between the product and the investor's bank and gateway; null without `providerProxy`. */
  provider: UnsteadyLink | null = null;
  /** The address of the product for clients. */
  url = '';
  /** Separates the fleet's topics and groups from others on its Kafka. */
  readonly kafkaPrefix = `fleet_${randomUUID().slice(0, 8)}_`;
  readonly databases: ProductDatabases;
  readonly #edge = new Edge(true);
  readonly #balancers: ReadonlyMap<ServiceName, Balancer>;
  readonly #replicas = new Map<ServiceName, readonly Replica[]>();
  #killed: Promise<void> | null = null;
  /** Our processes must end with the test run, even when that is killed. */
  readonly #killWithUs = () => {
    for (const replica of this.replicas()) void replica.kill();
  };

  private constructor(private readonly options: FleetOptions) {
    this.databases = ProductDatabases.on(options.databaseUrl, options.ownServers);
    this.#balancers = new Map(SERVICES.map((name) => [name, new Balancer(() => this.#serving(name))]));
  }

  /** Migrates, starts everything at the same time and resolves when all of it is ready; otherwise ends it all and throws. */
  static async start(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options);
    try {
      await fleet.#start();
      return fleet;
    } catch (error) {
      await fleet.kill();
      throw error;
    }
  }

  /** All processes, always in the same order, or those of one service. */
  replicas(service?: ServiceName): Replica[] {
    const services = service ? [service] : SERVICES;
    return services.flatMap((name) => [...(this.#replicas.get(name) ?? [])]);
  }

  /** One process; the first is 0. */
  replica(service: ServiceName, index = 0): Replica {
    const found = this.#replicas.get(service)?.[index];
    if (!found) throw new Error(`there is no ${service}-${index}`);
    return found;
  }

  /** A client of the seeded tenant. Its token lives 30 minutes. */
  client(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, { tenant: 'demo', id: 'demo', secret: 'demo-secret' });
  }

  /** The seeded operator. */
  operator(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, { tenant: 'demo', id: 'admin', secret: 'admin-secret' });
  }

  /** Stops all processes as an operator does, and removes the databases. Throws when one does not exit with 0. */
  async stop(): Promise<void> {
    try {
      const ends = await Promise.all(
        this.replicas().map(async (replica) => [replica, await replica.stop()] as const),
      );
      const bad = ends.filter(([, exit]) => exit && exit.code !== 0).map(([{ name }]) => name);
      if (bad.length > 0) throw new Error(`did not end with 0: ${bad.join(', ')}`);
    } finally {
      await this.kill();
    }
  }

  /** Kills everything, and removes the databases. A second call returns the same promise. */
  kill(): Promise<void> {
    return (this.#killed ??= this.#killAll());
  }

  async #killAll(): Promise<void> {
    process.off('exit', this.#killWithUs);
    await Promise.all(this.replicas().map((replica) => replica.kill()));
    for (const balancer of this.#balancers.values()) balancer.close();
    this.provider?.close();
    await Promise.all([this.#edge.close(), this.databases.drop()]);
  }

  async #start(): Promise<void> {
    process.once('exit', this.#killWithUs);
    for (const [name, balancer] of this.#balancers) this.#edge.add(name, balancer.handle);
    this.url = `http://127.0.0.1:${await this.#edge.listen('127.0.0.1', 0)}`;
    this.#edge.serve(new Map());
    if (this.options.providerProxy) this.provider = await UnsteadyLink.to(this.url);
    const env = await this.#variables();
    await Promise.all([this.databases.create(), this.#createTopics(env)]);
    await Promise.all(SERVICES.map((name) => this.#startService(name, env)));
  }

  /** With the databases all that `main.js migrate` does: eight more processes would take half of the start. */
  async #createTopics(env: Readonly<Record<string, string | undefined>>): Promise<void> {
    const kafka = readKafkaConfig('orders', env);
    if (kafka) await createTopics(kafka, { replicationFactor: kafka.replicationFactor });
  }

  async #startService(name: ServiceName, env: Readonly<Record<string, string | undefined>>): Promise<void> {
    const count = this.options.replicas?.[name] ?? 1;
    const indices = [...Array(count).keys()];
    // Not a port that the system gives to outgoing connections: one of those may take it before the service does.
    const ports = this.options.metrics ? await Promise.all(indices.map(() => fixedPort())) : [];
    const replicas = indices.map((index) => new Replica(name, index, env, ports[index]));
    this.#replicas.set(name, replicas);
    await Promise.all(replicas.map((replica) => replica.start()));
  }

  async #variables(): Promise<Record<string, string | undefined>> {
    const listening = [...this.#balancers].map(
      async ([name, balancer]) => [`${name.toUpperCase()}_URL`, await balancer.listen()] as const,
    );
    const provider = this.provider?.url ?? this.url;
    return {
      ...UNSET,
      SANDBOX: 'true',
      PURCHASE_PLANS: 'true',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      // Suites send requests as fast as they can; a suite about rate limits switches them on.
      RATE_LIMITS: 'off',
      PUBLIC_BASE_URL: this.url,
      GATEWAYPOA_BASE_URL: provider,
      SDKVENDOR_BASE_URL: `${provider}/sdkvendor`,
      CALLBACK_BASE_URL: provider,
      KAFKA_BROKERS: this.options.brokers.join(','),
      KAFKA_PREFIX: this.kafkaPrefix,
      KAFKA_REPLICATION_FACTOR: '1',
      ...this.databases.urls,
      ...Object.fromEntries(await Promise.all(listening)),
      ...this.options.env,
    };
  }

  #serving(service: ServiceName): string[] {
    return this.replicas(service).flatMap(({ url }) => url ?? []);
  }
}
