import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleRequests } from '../testing/example-requests.ts';
import type { Product } from '../testing/products.ts';
import { ok } from '../testing/purchase.ts';
import { follow, schemathesis, TOOL } from '../testing/schemathesis.ts';
import { addExamples, type Documented } from './examples.ts';

/** How much a run tries: so many generated requests to an operation in each phase of schemathesis, and the least that counts as a run. */
interface Amount {
  readonly examples: number;
  readonly phases: readonly string[];
  readonly leastCases: number;
}
/** `few` are about a thousand requests: the examples of the document and generated ones. `all`, some 11,000, try the bounds of each field too. */
export const AMOUNTS: Readonly<Record<'few' | 'all', Amount>> = {
  few: { examples: 5, phases: ['examples', 'fuzzing', 'stateful'], leastCases: 500 },
  all: { examples: 10, phases: ['examples', 'coverage', 'fuzzing', 'stateful'], leastCases: 2_000 },
};
/** The usual run takes a minute or two; one that hangs is ended and counts as failed. */
const LIMIT_MS = 600_000;
/**
 * A request that fits the document may still be refused (ERR-5): an unknown id in a body or a cursor is a 400, a state forbids a
 * step, or a key was used before. The end-to-end tests cover what the product must accept.
 */
export const WITHOUT: readonly string[] = ['positive_data_acceptance'];
/** More than it can send: rate limits have tests of their own. */
const RATE_LIMITS = { reads_per_second: 10_000, writes_per_second: 10_000 };

/** How requests are generated, and a folder for the results. */
interface HowToTry {
  readonly seed: string;
  readonly amount: Amount;
  readonly folder: string;
}

/** The result: `exit_code` is 0 when nothing was found, and null when the run was ended after ten minutes. */
interface Tried {
  readonly generated: number;
  readonly with_failures: number;
  readonly exit_code: number | null;
}

/** Tries every operation of that document on a running product with generated requests. The report goes to this process's output. */
export async function tryDocument(
  product: Pick<Product, 'url' | 'operator'>,
  document: Documented,
  { seed, amount, folder }: HowToTry,
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
  const many = ['--max-examples', String(amount.examples), '--phases', amount.phases.join(',')];
  const requests = [...many, '--seed', seed, '--generation-database', 'none'];
  const output = ['--no-color', '--report', 'json', '--report-json-path', report];
  const limits = { cwd: folder, limitMs: LIMIT_MS };
  const exit_code = await follow(command, [...what, ...whose, ...checks, ...requests, ...output], limits);
  if (exit_code === null) return { generated: 0, with_failures: 0, exit_code };
  const { test_cases } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly test_cases: Omit<Tried, 'exit_code'>;
  };
  return { ...test_cases, exit_code };
}
