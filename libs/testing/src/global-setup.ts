import { writeSync } from 'node:fs';
import { findInfrastructure, type TestInfrastructure } from './infrastructure/test-infrastructure.ts';

declare global {
  /** The run's servers, kept here because Jest loads set-up and teardown as separate modules of one process. */
  var fundrailTestInfrastructure: Promise<TestInfrastructure> | undefined;
}

/**
 * One PostgreSQL and one Kafka for the whole run: the second project that asks gets the first one's. Their addresses go to
 * `DATABASE_URL` and `KAFKA_BROKERS`; `TEST_DOCKER` says whether a Docker engine answers.
 */
export default async function globalSetup(): Promise<void> {
  globalThis.fundrailTestInfrastructure ??= findInfrastructure();
  try {
    const { postgres, kafka, docker } = await globalThis.fundrailTestInfrastructure;
    process.env['DATABASE_URL'] = postgres.address;
    if (kafka) process.env['KAFKA_BROKERS'] = kafka.address;
    process.env['TEST_DOCKER'] = String(docker);
  } catch (error) {
    // Jest gives up before it calls a reporter, and the last line of a run is its result in any case.
    process.once('exit', () => writeSync(1, '0 passed, 1 failed\n'));
    throw error;
  }
}
