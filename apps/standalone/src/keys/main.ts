import { keysCommand } from '@fundrail/service-kit';
import { EmbeddedPostgres } from '@fundrail/service-kit/embedded';
import { readConfig } from '../config.ts';
import { definitions } from '../services.ts';
import { endWithHelp, refuseArguments } from '../usage.ts';

const USAGE = `npm run keys -- rotate   encrypts all that is stored under the first key of DATA_ENCRYPTION_KEY, while fundrail runs
npm run keys -- status   shows what is under another key, and changes nothing`;

/** The databases of the product that runs on `DATA_DIR`, of the server of `DATABASE_URL`, or of each service's own URL. */
async function environment(): Promise<Record<string, string | undefined>> {
  const { databaseUrl, dataDir, sandbox } = readConfig(process.env);
  const env = { ...process.env, SANDBOX: String(sandbox) };
  const hasOwn = definitions(sandbox).every(({ name }) => process.env[`${name.toUpperCase()}_DATABASE_URL`]);
  if (hasOwn) return env;
  const url = databaseUrl ?? (await EmbeddedPostgres.urlOfRunning(dataDir));
  if (!url) throw new Error(`no database: start fundrail on DATA_DIR ${dataDir}, or set DATABASE_URL`);
  return { ...env, DATABASE_URL: url };
}

/** One service after the other, so that its last line stands below its columns. */
async function run(args: readonly string[]): Promise<number> {
  const env = await environment();
  let worst = 0;
  for (const service of definitions(env['SANDBOX'] === 'true')) {
    const { code, line } = await keysCommand(service, args, env);
    console.log(line);
    worst = Math.max(worst, code);
  }
  return worst;
}

endWithHelp(USAGE);
const [command, ...rest] = process.argv.slice(2);
if ((command !== 'rotate' && command !== 'status') || rest.length > 0) {
  refuseArguments('keys', `not understood: ${process.argv.slice(2).join(' ') || 'no command'}`);
} else {
  try {
    process.exitCode = await run([command]);
  } catch (error) {
    console.error(
      `fundrail keys ${command} ended early; run it again: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 1;
  }
}
