import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { figuresOf, readResults, type Result } from '../results.ts';
import { GOALS, type Goal } from './goals.ts';
import { perProcessor } from './per-processor.ts';
import { draw, PICTURES } from './pictures.ts';

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../docs/performance/', import.meta.url));

/** The page and its pictures, from kept results. */
export interface Report {
  readonly page: string;
  /** SVG, by the file's name. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** Writes `docs/performance.md` and its pictures from `bench/results`; returns a line for each file. Throws when there is no result. */
export async function writeReport(): Promise<string[]> {
  const { page, pictures } = drawReport(readResults());
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, svg] of pictures) writeFileSync(`${FOLDER}${file}`, `${svg}\n`);
  writeFileSync(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
  return ['docs/performance.md', ...[...pictures.keys()].map((file) => `docs/performance/${file}`)];
}

/** Draws the page from the results of benchmarks, by their names. A benchmark without a result is named as such. */
export function drawReport(results: ReadonlyMap<string, Result>): Report {
  if (results.size === 0)
    throw new Error('no result is kept: run a benchmark first, e.g. npm run bench -- walk');
  const drawn = PICTURES.flatMap((picture) => {
    const result = results.get(picture.bench);
    return result ? [{ ...picture, file: `${picture.name}.svg`, svg: draw(picture, result) }] : [];
  });
  const sections = [...results].map(([name, result]) => {
    const pictures = drawn.filter(({ bench }) => bench === name);
    return [
      `## ${name}`,
      `[What is measured, how, and what bounds it](../bench/${name}/README.md).`,
      ...pictures.map(({ title, file }) => `![${title}](performance/${file})`),
      figures(result),
    ];
  });
  const page = [
    '# Performance',
    `What a user may expect of one machine. \`npm run bench -- report\` writes this page from the kept results of the benchmarks
    ([what each measures, and how](../bench/README.md)); a benchmark without a section has no result of a whole run yet.`,
    '## What one processor does',
    'Of the machine below, in a second: what the processor time of one allows, or, for rates, the share of one processor. An installation needs as many processors as it has work; PostgreSQL and the services may be on different machines.',
    table(['Benchmark', 'Work', 'A second', 'Whose processor is in it'], perProcessor(results)),
    '## Goals',
    goals(results),
    '## Machines',
    'Figures of one benchmark are comparable with each other. Rates and times of another machine are not: `hash_ms` is the processor time of the SHA-256 of 64 MB when the benchmark ended, which shows a slow moment of a shared machine; older results lack it.',
    machines(results),
    ...sections.flat(),
  ];
  return { page: page.join('\n\n'), pictures: new Map(drawn.map(({ file, svg }) => [file, svg])) };
}

function goals(results: ReadonlyMap<string, Result>): string {
  const rows = GOALS.map((goal) => [`\`${goal.bench}\``, goal.about, wanted(goal), ...judge(goal, results)]);
  return table(['Benchmark', 'Figure', 'Goal', 'Measured', 'Result'], rows);
}

function wanted({ atMost, atLeast }: Goal): string {
  return atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
}

function judge(goal: Goal, results: ReadonlyMap<string, Result>): [string, string] {
  const result = results.get(goal.bench);
  const value = result && figuresOf(result).get(goal.figure);
  if (value === undefined) return ['', 'not measured'];
  const isMet = value <= (goal.atMost ?? Infinity) && value >= (goal.atLeast ?? -Infinity);
  return [String(value), isMet ? 'met' : `missed: ${goal.bound}`];
}

function machines(results: ReadonlyMap<string, Result>): string {
  const rows = [...results].map(([name, { machine }]) => {
    const known = new Map<string, unknown>(Object.entries(machine ?? {}));
    return [`\`${name}\``, ...MACHINE.map((field) => cell(known.get(field)))];
  });
  return table(['Benchmark', ...MACHINE.map((field) => `\`${field}\``)], rows);
}

/** Empty for what an older result lacks. */
function cell(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const MACHINE = [
  'day',
  'processor',
  'processors',
  'memory_gb',
  'node',
  'load_1',
  'load_15',
  'hash_ms',
] as const;

/** Every figure of a result outside of its pictures' rows. */
function figures(result: Result): string {
  const rows = [...figuresOf(result)]
    .filter(([name]) => !/^(machine|cpu_by_step)\./.test(name))
    .map(([name, value]) => [`\`${name}\``, String(value)]);
  return table(['Figure', 'Value'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
