import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleRequests } from '../testing/example-requests.ts';
import type { Product } from '../testing/products.ts';
import { ok } from '../testing/purchase.ts';
import { follow, schemathesis, TOOL } from '../testing/schemathesis.ts';
import { addExamples, type Documented } from './examples.ts';

/** What issue and CI ask for at least. The usual run makes some 6,000. */
export const LEAST_CASES = 2_000;
/** The usual run takes a minute or two; one that hangs is ended, and has failed. */
const LIMIT_MS = 600_000;
/**
 * A request that fits the document may still be refused (contract §0.1): an id in a body or a cursor that is nobody's is a 400, a
 * state forbids a step, a key was used before. What the product must accept is tried by its end-to-end tests.
 */
export const WITHOUT: readonly string[] = ['positive_data_acceptance'];
/** More than it can ask: rate limits have tests of their own. */
const RATE_LIMITS = { reads_per_second: 10_000, writes_per_second: 10_000 };

/** How requests are generated, and a folder for what comes of them. */
export interface HowToTry {
  readonly seed: string;
  /** At most so many of an operation in each phase. */
  readonly examples: string;
  readonly folder: string;
}

/** What came of it: `exit_code` is 0 when nothing was found, and null when it was ended after ten minutes. */
export interface Tried {
  readonly generated: number;
  readonly with_failures: number;
  readonly exit_code: number | null;
}

/** Asks a running product for every operation of that document with generated requests; what is said of it goes to our output. */
export async function tryDocument(
  product: Pick<Product, 'url' | 'operator'>,
  document: Documented,
  { seed, examples, folder }: HowToTry,
): Promise<Tried> {
  const command = await schemathesis();
  const operator = await product.operator();
  ok(await operator.patch('/admin/tenants/demo/settings', { rate_limits: RATE_LIMITS }));
  // With requests about objects that exist.
  addExamples(document, await exampleRequests(operator));
  const [path, report] = [join(folder, 'openapi.json'), join(folder, 'report.json')];
  await writeFile(path, JSON.stringify(document));
  const what = ['--config-file', join(TOOL, 'schemathesis.toml'), 'run', path, '--url', product.url];
  const whose = ['--header', `Authorization: Bearer ${operator.token}`];
  const checks = ['--checks', 'all', '--exclude-checks', WITHOUT.join(','), '--continue-on-failure'];
  const requests = ['--max-examples', examples, '--seed', seed, '--generation-database', 'none'];
  const told = ['--no-color', '--report', 'json', '--report-json-path', report];
  const limits = { cwd: folder, limitMs: LIMIT_MS };
  const exit_code = await follow(command, [...what, ...whose, ...checks, ...requests, ...told], limits);
  if (exit_code === null) return { generated: 0, with_failures: 0, exit_code };
  const { test_cases } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly test_cases: Omit<Tried, 'exit_code'>;
  };
  return { ...test_cases, exit_code };
}
