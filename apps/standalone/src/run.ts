import { Log, withPresentNames, type Environment } from '@fundrail/service-kit';
import { readConfig } from './config.ts';
import { startStandalone, type Standalone } from './standalone.ts';
import { sentenceOf } from './usage.ts';

/** OPS-4: a stop takes at most 10 s. After this long it is cut short; committed data is never lost by that. */
const STOP_LIMIT_MS = 9_000;

/** How often to check whether npm's shell still runs: well within the time limit of a supervisor. */
const SHELL_LOOK_MS = 500;

/** Runs the product until SIGTERM or SIGINT. Sets the exit code: 0 after a stop, 1 when the start failed. */
export async function run(given: Environment): Promise<void> {
  const stopAsked = Promise.race([signalled(), shellGone(given)]);
  try {
    const env = withPresentNames(given, Log.to('standalone', 'warn'));
    const standalone = await startStandalone(readConfig(env), env);
    console.log(`fundrail is ready on ${standalone.url}`);
    const why = await Promise.race([stopAsked, standalone.failed]);
    await stopInTime(standalone);
    if (why === 'signal') console.log('fundrail has stopped; npm start continues from here');
    process.exit(why === 'failed' ? 1 : 0);
  } catch (error) {
    console.error(oneLine(error));
    process.exit(1);
  }
}

/** Resolves at the first signal. Later ones change nothing: Ctrl-C under npm arrives twice. */
function signalled(): Promise<'signal'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => resolve('signal'));
  });
}

/**
 * Resolves when the shell in which `npm start` runs this process has ended. npm passes SIGTERM only to that shell, but a supervisor
 * that stops npm wants this process to stop.
 */
function shellGone(env: Environment): Promise<'signal'> {
  return new Promise((resolve) => {
    if (env['npm_lifecycle_event'] !== 'start') return;
    const shell = process.ppid;
    setInterval(() => process.ppid !== shell && resolve('signal'), SHELL_LOOK_MS).unref();
  });
}

async function stopInTime(standalone: Standalone): Promise<void> {
  const cutShort = setTimeout(() => {
    console.error(`the stop took more than ${STOP_LIMIT_MS / 1000} s and was cut short`);
    standalone.kill();
    process.exit(0);
  }, STOP_LIMIT_MS);
  await standalone.stop();
  clearTimeout(cutShort);
}

function oneLine(error: unknown): string {
  return `fundrail did not start: ${sentenceOf(error).replaceAll(/\s*\n\s*/g, ' ')}`;
}
