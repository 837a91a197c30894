import { PRODUCT_SERVICES, SERVICES, type ServiceName } from '@fundrail/contracts';
import { isReconcileUsage, reconcileCommand, restoredCommand, type Environment } from '@fundrail/service-kit';
import { withDatabaseUrls } from '../database-urls.ts';
import { endWithHelp, refuseArguments, sentenceOf } from '../usage.ts';
import { linesOf, progressOf, verdictOf } from './report.ts';

const USAGE = `npm run reconcile                       has every service compare itself now, and waits
  -- --days 7                           what was changed in so many days (3)
  -- --settle 60                        seconds before it checks a difference again (60)
  -- --accept-lost-money                frees claims of lost payments, even if a provider has their money
  -- --last                             shows what the last run has found
  -- --json                             a line of JSON for each finding and each service, also on a terminal
npm run reconcile -- restored <service>  after its database was put back from a backup, before it is started`;

const PROGRESS_EVERY_MS = 1_000;
/** Returns to the start of the line and clears it. */
const FRESH_LINE = '\r\x1b[K';

function named(service: string | undefined): ServiceName {
  const known = SERVICES.find((name) => name === service);
  if (!known)
    refuseArguments('reconcile', `which service was restored? one of ${PRODUCT_SERVICES.join(', ')}`);
  return known;
}

async function reconcile(asked: readonly string[]): Promise<number> {
  const args = asked.filter((arg) => arg !== '--json');
  if (!isReconcileUsage(args)) refuseArguments('reconcile', `not understood: ${args.join(' ')}`);
  const env = await withDatabaseUrls(PRODUCT_SERVICES);
  if (process.stdout.isTTY && args.length === asked.length) return readable(args, env);
  const ends = await Promise.all(PRODUCT_SERVICES.map((name) => reconcileCommand({ name }, args, env)));
  for (const { line } of ends) console.log(line);
  return Math.max(...ends.map(({ code }) => code));
}

/** The same for a person at a terminal: the services that still run, each result as it comes, and the verdict. */
async function readable(args: readonly string[], env: Environment): Promise<number> {
  const waiting = new Set<string>(PRODUCT_SERVICES);
  const started = performance.now();
  const show = () => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    process.stdout.write(waiting.size > 0 ? `${FRESH_LINE}${progressOf([...waiting], seconds)}` : FRESH_LINE);
  };
  const showing = setInterval(show, PROGRESS_EVERY_MS);
  try {
    const ends = PRODUCT_SERVICES.map(async (name) => {
      const found: string[] = [];
      const { code, line } = await reconcileCommand({ name }, args, env, (one) => void found.push(one));
      waiting.delete(name);
      process.stdout.write(FRESH_LINE);
      for (const printed of linesOf(found, line)) console.log(printed);
      show();
      return code;
    });
    const code = Math.max(...(await Promise.all(ends)));
    console.log(verdictOf(code));
    return code;
  } finally {
    clearInterval(showing);
  }
}

endWithHelp(USAGE);
try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'restored') {
    const { code, line } = await restoredCommand(
      { name: named(rest[0]) },
      rest.slice(1),
      await withDatabaseUrls(PRODUCT_SERVICES),
    );
    console.log(line);
    process.exitCode = code;
  } else if (command === undefined || command.startsWith('--')) {
    process.exitCode = await reconcile(process.argv.slice(2));
  } else refuseArguments('reconcile', `there is no command ${command}`);
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 2;
}
