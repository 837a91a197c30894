import { withPresentNames } from '../config/renamed-variables.ts';
import { databaseErrorOf } from '../config/start-errors.ts';
import { withSecrets } from '../config/sandbox-secrets.ts';
import { readKitConfig } from '../config/kit-config.ts';
import type { Environment } from '../config/environment.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import { Log } from '../logging/log.ts';
import { logLibrariesTo } from '../logging/nest-log.ts';
import { bootstrap, type RunningService } from './bootstrap.ts';
import { eventsCommand } from './events-command.ts';
import { keysCommand } from './keys-command.ts';
import { migrateCommand, type CommandEnd } from './migrate-command.ts';
import { reconcileCommand, restoredCommand } from './reconcile-command.ts';

/** OPS-4: a stop takes at most 10 s, plus `DRAIN_DELAY_MS`. Cutting it short loses no committed data. */
const STOP_LIMIT_MS = 9_000;

type Command = (
  definition: ServiceDefinition,
  args: readonly string[],
  env: Environment,
) => Promise<CommandEnd>;

const USAGE = 'usage: main.js [migrate | events | reconcile | restored | keys]';

/** Each command, and the message when it fails. */
const COMMANDS = new Map<string, readonly [run: Command, failure: string]>([
  ['migrate', [migrateCommand, 'was not migrated']],
  ['events', [eventsCommand, 'could not read or change its parked events']],
  ['reconcile', [reconcileCommand, 'could not be reconciled']],
  ['restored', [restoredCommand, 'could not be prepared after the restore']],
  ['keys', [keysCommand, 'could not be re-encrypted']],
]);

/**
 * A service's whole `main.ts`. `node main.js` serves until SIGTERM or SIGINT. Its commands: `migrate` brings database and topics
 * up to date, or only checks them (`migrateCommand`); `events` lists, replays or discards parked events (`eventsCommand`);
 * `reconcile` compares the service with the others now, and `restored` prepares it after a restore from a backup
 * (`reconcileCommand`); `keys` encrypts the stored values under a new key (`keysCommand`). Exits 0 after a stop, 1 with one line on
 * standard error when it cannot start, 2 for an unknown command.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  const [name, ...args] = process.argv.slice(2);
  const [run, failure = 'did not start'] = COMMANDS.get(name ?? '') ?? [];
  let env: Environment = process.env;
  try {
    env = withPresentNames(env, Log.to(definition.name, 'warn'));
    if (name === undefined) {
      await serve(definition, env);
      return;
    }
    if (!run) return end(2, `fundrail ${definition.name} has no command ${name}: ${USAGE}`);
    logLibrariesTo(Log.to(definition.name, 'warn'));
    const { code, line } = await run(definition, args, env);
    end(code, line);
  } catch (caught) {
    const error = databaseErrorOf(definition.name, env, caught);
    const message = error instanceof Error ? error.message : String(error);
    end(1, `fundrail ${definition.name} ${failure}: ${message.replaceAll(/\s*\n\s*/g, ' ')}`);
  }
}

/** A signal during the start stops the service as soon as it has started. */
async function serve(definition: ServiceDefinition, env: Environment): Promise<void> {
  const stopRequested = signalled();
  const service = await bootstrap(definition, { env });
  const isReady = service.ready().then(() => true);
  if (await Promise.race([isReady, stopRequested.then(() => false)]))
    process.stdout.write(`fundrail ${definition.name} is ready on ${service.url ?? ''}\n`);
  await stopRequested;
  await stopInTime(definition, service, env);
  process.exit(0);
}

/** Resolves at the first signal. Later ones change nothing: Ctrl-C under npm arrives twice. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
}

async function stopInTime(
  definition: ServiceDefinition,
  service: RunningService,
  env: Environment,
): Promise<void> {
  const limit = readKitConfig(definition.name, withSecrets(env)).DRAIN_DELAY_MS + STOP_LIMIT_MS;
  const cutShort = setTimeout(() => {
    end(0, `fundrail ${definition.name}: the stop took more than ${limit / 1000} s and was cut short`);
  }, limit);
  await service.stop();
  clearTimeout(cutShort);
}

function end(code: 0 | 1 | 2, line: string): never {
  const out = code === 0 ? process.stdout : process.stderr;
  out.write(`${line}\n`);
  process.exit(code);
}
