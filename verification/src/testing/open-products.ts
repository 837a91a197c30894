import { describeWithKafka, testBrokers, testServerUrl } from '@fundrail/testing';
import { ProductDatabases } from './crash/product-databases.ts';
import { Fleet } from './fleet/fleet.ts';
import type { Product } from './products.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './standalone-process.ts';

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
  describeWithKafka(`${title}, as processes over Kafka`, () => suite(startFleet));
}

async function startFleet(env: Readonly<Record<string, string>> = {}): Promise<OpenProduct> {
  const brokers = testBrokers();
  const fleet = await Fleet.start({ databaseUrl: testServerUrl(), brokers, env, metrics: true });
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
    stop: () => fleet.kill(),
  };
}

async function startStandalone(env: Readonly<Record<string, string>> = {}): Promise<OpenProduct> {
  const databases = ProductDatabases.onTestServer();
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
