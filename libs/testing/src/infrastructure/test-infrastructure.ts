import { isCi } from './ci.ts';
import { dockerAnswers, startReaper } from './docker-engine.ts';
import { findKafka } from './kafka.ts';
import { HOW_TO_GET, type Need } from './needs.ts';
import { findPostgres } from './postgres.ts';
import type { StartedServer } from './started-server.ts';

/** The servers of one test run. */
export interface TestInfrastructure {
  readonly postgres: StartedServer;
  /** Null: suites that need it are left out, and the run says so. */
  readonly kafka: StartedServer | null;
  readonly docker: boolean;
}

/** Finds or starts them, all at the same time. In CI throws, with nothing left running, when anything is missing. */
export async function findInfrastructure(): Promise<TestInfrastructure> {
  const docker = await dockerAnswers();
  const needsContainers = !process.env['DATABASE_URL'] || !process.env['KAFKA_BROKERS'];
  if (docker && needsContainers) await startReaper();
  const [postgres, kafka] = await Promise.all([findPostgres(docker), findKafka(docker)]);
  const found = { postgres, kafka, docker };
  const missing = [...(kafka ? [] : ['Kafka' as const]), ...(docker ? [] : ['Docker' as const])];
  if (isCi() && missing.length > 0) {
    await stopInfrastructure(found);
    throw new Error(complaint(missing));
  }
  return found;
}

/** Stops what the run has started. */
export async function stopInfrastructure({ postgres, kafka }: TestInfrastructure): Promise<void> {
  await Promise.all([postgres.stop(), kafka?.stop()]);
}

function complaint(missing: readonly Need[]): string {
  const remedies = missing.map((need) => `There is no ${need}: ${HOW_TO_GET[need]}.`);
  return ['With CI set no suite may be left out.', ...remedies, 'Without CI they are skipped.'].join(' ');
}
