import { isCi } from './ci.ts';
import { dockerAnswers, startReaper } from './docker-engine.ts';
import { findKafka } from './kafka.ts';
import { HOW_TO_GET, type Need } from './needs.ts';
import { findPostgres } from './postgres.ts';
import type { StartedServer } from './started-server.ts';

/** The servers of one test run. */
export interface TestInfrastructure {
  readonly postgres: StartedServer;
  /** Null: suites that need it are skipped, and the end of the run lists them. */
  readonly kafka: StartedServer | null;
  readonly docker: boolean;
}

/** Finds or starts them, all at the same time. In CI it stops them and throws when one is missing. */
export async function findInfrastructure(): Promise<TestInfrastructure> {
  const docker = await dockerAnswers();
  const needsContainers = !process.env['DATABASE_URL'] || !process.env['KAFKA_BROKERS'];
  if (docker && needsContainers) await startReaper();
  const [postgres, kafka] = await Promise.all([findPostgres(docker), findKafka(docker)]);
  const found = { postgres, kafka, docker };
  const missing = [...(kafka ? [] : ['Kafka' as const]), ...(docker ? [] : ['Docker' as const])];
  if (isCi() && missing.length > 0) {
    await stopInfrastructure(found);
    throw new Error(messageFor(missing));
  }
  return found;
}

/** Stops what the run has started. */
export async function stopInfrastructure({ postgres, kafka }: TestInfrastructure): Promise<void> {
  await Promise.all([postgres.stop(), kafka?.stop()]);
}

function messageFor(missing: readonly Need[]): string {
  const remedies = missing.map((need) => `There is no ${need}: ${HOW_TO_GET[need]}.`);
  return ['With CI set no suite may be skipped.', ...remedies, 'Without CI they are skipped.'].join(' ');
}
