import type { ServiceName } from '@fundrail/contracts';
import { describeWithKafka } from '@fundrail/testing';
import { startFleet, startStandalone, type Product } from './open-products.ts';

export type { Product };

/** Processes of each service when they are separate; one by default. */
type Replicas = Partial<Record<ServiceName, number>>;

/** `env`: further variables for every process. */
type StartProduct = (replicas?: Replicas, env?: Readonly<Record<string, string>>) => Promise<Product>;

/**
 * A suite that runs twice: on the standalone, and on separate processes over Kafka. Start the product once, in `beforeAll`; that
 * takes 2 s and 8 s.
 */
export function describeProducts(title: string, suite: (start: StartProduct) => void): void {
  describe(`${title}, standalone`, () => suite((_replicas, env) => startStandalone(env)));
  describeWithKafka(`${title}, as processes over Kafka`, () =>
    suite((replicas = {}, env = {}) => startFleet({ replicas, env })),
  );
}

/** A suite that does not depend on how the services are connected, for example about the look of a page: on the standalone alone. */
export function describeStandalone(title: string, suite: (start: StartProduct) => void): void {
  describe(title, () => suite((_replicas, env) => startStandalone(env)));
}
