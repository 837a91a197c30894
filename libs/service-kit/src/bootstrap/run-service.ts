import type { Environment } from '../config/environment.ts';
import { databaseUrlFor, migrate } from '../db/migrate.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import { bootstrap, type RunningService } from './bootstrap.ts';

/** Contract §9: a stop takes at most 10 s. What is committed is never lost by cutting it short. */
const STOP_LIMIT_MS = 9_000;

/**
 * The whole of a service's `main.ts`: `node main.js` serves until SIGTERM or SIGINT, `node main.js migrate` brings the
 * database up to date. Exits 0 after a stop, 1 with one line on standard error when it cannot start.
 */
export async function runService(
  definition: ServiceDefinition,
  env: Environment = process.env,
): Promise<void> {
  try {
    if (process.argv[2] === 'migrate') {
      await migrate(definition, databaseUrlFor(definition.name, env));
      return;
    }
    const service = await bootstrap(definition, { env });
    process.stdout.write(`fundrail ${definition.name} is ready on ${service.url ?? ''}\n`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => void stopAndExit(service));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `fundrail ${definition.name} did not start: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`,
    );
    process.exit(1);
  }
}

async function stopAndExit(service: RunningService): Promise<void> {
  setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
  await service.stop();
  process.exit(0);
}
