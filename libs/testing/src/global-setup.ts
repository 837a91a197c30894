import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { findInfrastructure, type TestInfrastructure } from './infrastructure/test-infrastructure.ts';

declare global {
  /** The run's servers, kept here because Jest loads set-up and teardown as separate modules of one process. */
  var fundrailTestInfrastructure: Promise<TestInfrastructure> | undefined;
}

/**
 * Starts one PostgreSQL and one Kafka for the whole run; all projects share them. Their addresses go to `DATABASE_URL` and
 * `KAFKA_BROKERS`; `TEST_DOCKER` is `true` when a Docker engine answers, `TEST_RUN` is the name of the run on a server that outlives it.
 */
export default async function globalSetup(): Promise<void> {
  globalThis.fundrailTestInfrastructure ??= findInfrastructure();
  try {
    const { postgres, kafka, docker } = await globalThis.fundrailTestInfrastructure;
    process.env['DATABASE_URL'] = postgres.address;
    if (kafka) process.env['KAFKA_BROKERS'] = kafka.address;
    process.env['TEST_DOCKER'] = String(docker);
    process.env['TEST_RUN'] ??= randomUUID().slice(0, 8);
  } catch (error) {
    // Jest gives up before it calls a reporter, but the last line of a run is always its result.
    process.once('exit', () => writeSync(1, '0 passed, 1 failed\n'));
    throw error;
  }
}
