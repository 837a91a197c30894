import type { ServiceName } from '@fundrail/contracts';
import { describeWithKafka, testBrokers, testServerUrl } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { Fleet } from './fleet/fleet.ts';
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

/** Processes of each service when they are separate; one by default. */
type Replicas = Partial<Record<ServiceName, number>>;

/** `env`: further variables for every process. */
type StartProduct = (replicas?: Replicas, env?: Readonly<Record<string, string>>) => Promise<Product>;

/**
 * A suite that runs twice: on the standalone, and on separate processes over Kafka. Start the product once, in `beforeAll`; that
 * takes 2 s and 8 s.
 */
export function describeProducts(title: string, suite: (start: StartProduct) => void): void {
  describe(`${title}, standalone`, () => suite(startStandalone));
  describeWithKafka(`${title}, as processes over Kafka`, () => suite(startFleet));
}

/** A suite that does not depend on how the services are connected, for example about the look of a page: on the standalone alone. */
export function describeStandalone(title: string, suite: (start: StartProduct) => void): void {
  describe(title, () => suite(startStandalone));
}

/** Separate processes over the run's Kafka, on its PostgreSQL server. */
export async function startFleet(
  replicas: Replicas = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const fleet = await Fleet.start({ databaseUrl: testServerUrl(), brokers: testBrokers(), replicas, env });
  return {
    url: fleet.url,
    client: () => fleet.client(),
    operator: () => fleet.operator(),
    // Killed, because a clean stop would take seconds; other suites test it.
    stop: () => fleet.kill(),
  };
}

async function startStandalone(
  _replicas?: Replicas,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const dataDir = await newDataDir();
  const standalone = await StandaloneProcess.start({ dataDir, env });
  return {
    url: standalone.url,
    client: () => standalone.client(),
    operator: () => standalone.operator(),
    stop: async () => {
      await standalone.stop();
      await removeDataDir(dataDir);
    },
  };
}
