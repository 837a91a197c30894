// `npm run schemathesis`: every operation of /openapi.json with generated requests, on a product of its own. Exit code 0 only when
// nothing was found and enough was tried.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exampleRequests } from '../testing/example-requests.ts';
import { ok } from '../testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from '../testing/standalone-process.ts';
import { addExamples, type Documented } from './examples.ts';
import { follow, hasPython, schemathesis, TOOL } from '../testing/schemathesis.ts';

/** What issue and CI ask for at least. The usual run makes some 6,000. */
const LEAST_CASES = 2_000;
/** The usual run takes a minute or two; one that hangs is ended, and has failed. */
const LIMIT_MS = 600_000;
/**
 * A request that fits the document may still be refused (contract §0.1): an id in a body or a cursor that is nobody's is a 400, a
 * state forbids a step, a key was used before. What the product must accept is tried by its end-to-end tests.
 */
const WITHOUT = ['positive_data_acceptance'];
/** More than it can ask: rate limits have tests of their own. */
const RATE_LIMITS = { reads_per_second: 10_000, writes_per_second: 10_000 };

async function run(seed: string, examples: string): Promise<0 | 1> {
  const command = await schemathesis();
  const dataDir = await newDataDir();
  const product = await StandaloneProcess.start({ dataDir, env: { LOG_LEVEL: 'error' } });
  try {
    const document = join(dataDir, 'openapi.json');
    const config = join(TOOL, 'schemathesis.toml');
    await writeFile(document, JSON.stringify(await documentOf(product)));
    const report = join(dataDir, 'report.json');
    const code = await follow(
      command,
      [
        ...['--config-file', config, 'run', document, '--url', product.url],
        ...['--header', `Authorization: Bearer ${(await product.operator()).token}`],
        ...[
          '--checks',
          'all',
          '--exclude-checks',
          WITHOUT.join(','),
          '--continue-on-failure',
          '--no-color',
          '--generation-database',
          'none',
        ],
        ...['--max-examples', examples, '--seed', seed, '--report', 'json', '--report-json-path', report],
      ],
      { cwd: dataDir, limitMs: LIMIT_MS },
    );
    return await judge(code, report);
  } finally {
    await product.stop();
    await removeDataDir(dataDir);
  }
}

/** The product's document, with requests about objects that exist. */
async function documentOf(product: StandaloneProcess): Promise<Documented> {
  const operator = await product.operator();
  ok(await operator.patch('/admin/tenants/demo/settings', { rate_limits: RATE_LIMITS }));
  const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as Documented;
  addExamples(document, await exampleRequests(operator));
  return document;
}

interface Report {
  readonly test_cases: { readonly generated: number; readonly with_failures: number };
}

/** Prints one line of JSON, and answers the exit code. */
async function judge(code: number | null, report: string): Promise<0 | 1> {
  if (code === null) return 1;
  const { test_cases: cases } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const isGood = code === 0 && cases.generated >= LEAST_CASES;
  console.log(JSON.stringify({ ...cases, least: LEAST_CASES, without: WITHOUT, exit_code: code }));
  return isGood ? 0 : 1;
}

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, examples: { type: 'string', default: '10' } },
});
if (hasPython()) process.exitCode = await run(values.seed, values.examples);
else console.log('schemathesis was left out: there is no python3 of version 3.10 or newer with venv');
