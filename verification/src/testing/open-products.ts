import { describeWithKafka, testBrokers, testServerUrl } from '@fundrail/testing';
import { ProductDatabases } from './crash/product-databases.ts';
import { Fleet, type FleetOptions } from './fleet/fleet.ts';
import type { ApiClient } from './api-client.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './standalone-process.ts';

/** The running product: the standalone, or separate processes. */
export interface Product {
  readonly url: string;
  /** A client of the seeded tenant. */
  client(): Promise<ApiClient>;
  /** The seeded operator. */
  operator(): Promise<ApiClient>;
  /** Ends it, and removes what it has stored. */
  stop(): Promise<void>;
}

/** A running product with access to its databases, logs and metrics. */
export interface OpenProduct extends Product {
  readonly databases: ProductDatabases;
  /** The address of each process's metrics. */
  readonly opsUrls: readonly string[];
  /** The logs of its processes. */
  output(): string;
}

/** `env`: further variables for every process. */
type StartOpenProduct = (env?: Readonly<Record<string, string>>) => Promise<OpenProduct>;

/** As `describeProducts`, for a suite that reads databases, logs or metrics. */
export function describeOpenProducts(title: string, suite: (start: StartOpenProduct) => void): void {
  describe(`${title}, standalone`, () => suite(startStandalone));
  describeWithKafka(`${title}, as processes over Kafka`, () =>
    suite((env = {}) => startFleet({ env, metrics: true })),
  );
}

/** Separate processes over the run's Kafka, on its PostgreSQL server. */
export async function startFleet(
  options: Pick<FleetOptions, 'replicas' | 'env' | 'metrics'>,
): Promise<OpenProduct> {
  const fleet = await Fleet.start({ databaseUrl: testServerUrl(), brokers: testBrokers(), ...options });
  return {
    url: fleet.url,
    databases: fleet.databases,
    opsUrls: fleet.replicas().flatMap(({ opsUrl }) => opsUrl ?? []),
    output: () =>
      fleet
        .replicas()
        .map(({ output }) => output)
        .join('\n'),
    client: () => fleet.client(),
    operator: () => fleet.operator(),
    // Killed, because a clean stop would take seconds; other suites test it.
    stop: () => fleet.kill(),
  };
}

/** `npm start` on databases of its own on the run's server: an embedded one would cost as much as the start. */
export async function startStandalone(env: Readonly<Record<string, string>> = {}): Promise<OpenProduct> {
  const databases = await ProductDatabases.onTestServer();
  const dataDir = await newDataDir();
  const product = await StandaloneProcess.start({ dataDir, env: { ...databases.env, ...env } });
  return {
    url: product.url,
    databases,
    opsUrls: [product.url],
    output: () => product.child.output,
    client: () => product.client(),
    operator: () => product.operator(),
    stop: async () => {
      await product.stop();
      await Promise.all([databases.drop(), removeDataDir(dataDir)]);
    },
  };
}
