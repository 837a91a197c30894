import { parseJson } from '@fundrail/contracts';
import { Pool } from 'undici';
import { makeClient } from '../lib/api.ts';
import { hundredths, median } from '../lib/median.ts';
import { beDurable, hurry, startPostgres, withDatabase } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { OPERATOR, productionVariables } from '../lib/product.ts';
import { startServices } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import { fill, TENANT } from './fill.ts';
import { QUESTION_NAMES, QUESTIONS, type Filled, type QuestionName } from './questions.ts';

/** The names of the figures say 100k and 10m; fewer are for trying things out. */
const LARGE = size(10_000_000, 200_000, 'BENCH_PAYMENTS');
const SMALL = LARGE / 100;
/** Requests of each question to each database: before and while it is timed. */
const WARMUP = size(30, 1);
const REQUESTS = size(200, 3, 'BENCH_REQUESTS');

/** A service over a database of so many payments. */
interface Contender extends Filled {
  readonly http: Pool;
  readonly token: string;
}

/** One server, two databases, and a payments service over each: lists are asked for one at a time, of both in turn. */
export async function listsBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using processes = new Processes();
  await hurry(postgres.url);
  const small = await startContender(postgres.url, processes, 'small', SMALL);
  const large = await startContender(postgres.url, processes, 'large', LARGE);
  await beDurable(postgres.url);
  const figures = await measure(small, large);
  await Promise.all([small.http.close(), large.http.close()]);
  return report(figures);
}

async function startContender(
  server: string,
  processes: Processes,
  name: string,
  payments: number,
): Promise<Contender> {
  const database = withDatabase(server, `${name}_payments`);
  const urls = await startServices(['identity', 'payments'], processes, {
    ...productionVariables(server),
    IDENTITY_DATABASE_URL: withDatabase(server, `${name}_identity`),
    PAYMENTS_DATABASE_URL: database,
  });
  const began = performance.now();
  await fill(database, payments);
  console.log(`${name}: ${payments} payments in ${Math.round((performance.now() - began) / 1000)} s`);
  const token = await makeClient(urls.identity, TENANT, OPERATOR);
  return { payments, token, http: new Pool(urls.payments, { connections: 1, pipelining: 1 }) };
}

interface Times {
  readonly small: number[];
  readonly large: number[];
}
type Figures = Readonly<Record<QuestionName, Times>>;

/** Questions and databases alternate, so that a slow moment of the machine hits all of them. */
async function measure(small: Contender, large: Contender): Promise<Figures> {
  const figures = Object.fromEntries(
    QUESTION_NAMES.map((name): [string, Times] => [name, { small: [], large: [] }]),
  ) as Figures;
  for (let round = 0; round < WARMUP + REQUESTS; round += 1)
    for (const name of QUESTION_NAMES) {
      const [first, second] = [await ask(small, name), await ask(large, name)];
      if (round < WARMUP) continue;
      figures[name].small.push(first);
      figures[name].large.push(second);
    }
  return figures;
}

/** Milliseconds from the request to the whole answer. Throws when the answer is not what the question should find. */
async function ask(contender: Contender, name: QuestionName): Promise<number> {
  const path = `/api/pg/payments${QUESTIONS[name](contender)}`;
  const headers = { authorization: `Bearer ${contender.token}` };
  const began = performance.now();
  const { statusCode, body } = await contender.http.request({ method: 'GET', path, headers });
  const text = await body.text();
  const time = performance.now() - began;
  const answer = parseJson(text) as Record<string, unknown>;
  const isEmpty = answer['number_of_elements'] === 0;
  if (statusCode !== 200 || isEmpty) throw new Error(`${path}: ${statusCode} ${text.slice(0, 300)}`);
  return time;
}

function report(figures: Figures): object {
  const rows = QUESTION_NAMES.map((name): [QuestionName, object] => {
    const [small, large] = [median(figures[name].small), median(figures[name].large)];
    return [
      name,
      { p50_100k_ms: hundredths(small), p50_10m_ms: hundredths(large), ratio: hundredths(large / small) },
    ];
  });
  console.table(Object.fromEntries(rows));
  const [[, first] = ['', {}], ...others] = rows;
  return { ...first, ...Object.fromEntries(others) };
}
