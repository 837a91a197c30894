import { keysCommand } from '@fundrail/service-kit';
import { readConfig } from '../config.ts';
import { withDatabaseUrls } from '../database-urls.ts';
import { definitions } from '../services.ts';
import { endWithHelp, refuseArguments, sentenceOf } from '../usage.ts';

const USAGE = `npm run keys -- rotate   encrypts all that is stored under the first key of DATA_ENCRYPTION_KEY, while fundrail runs
npm run keys -- status   shows what is under another key, and changes nothing`;

/** One service after the other, so that its last line stands below its columns. */
async function run(args: readonly string[]): Promise<number> {
  const { sandbox } = readConfig(process.env);
  const services = definitions(sandbox);
  const urls = await withDatabaseUrls(services.map(({ name }) => name));
  const env = { ...urls, SANDBOX: String(sandbox) };
  let worst = 0;
  for (const service of services) {
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
    console.error(`fundrail keys ${command} ended early; run it again: ${sentenceOf(error)}`);
    process.exitCode = 1;
  }
}
