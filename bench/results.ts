import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sentenceOf } from '../apps/standalone/src/usage.ts';
import { describeMachine } from './report/machine.ts';

const FOLDER = fileURLToPath(new URL('results/', import.meta.url));

/** A change of processor time per purchase by more than this is marked: smaller ones come with the machine. */
const NOTABLE_PERCENT = 10;

/** A benchmark's figures, as its file has them. */
export interface Result {
  readonly bench: string;
  readonly [figure: string]: unknown;
}

/** Keeps the result of a benchmark with the machine that it ran on in `bench/results/<name>.json`, in place of the last one. */
export function writeResult(name: string, result: object): void {
  mkdirSync(FOLDER, { recursive: true });
  const kept = { ...result, machine: describeMachine(new Date()) };
  writeFileSync(`${FOLDER}${name}.json`, `${JSON.stringify(kept, null, 2)}\n`);
}

/** The kept results of whole runs, by the benchmark's name; those of the smallest size measure nothing. */
export function readResults(): Map<string, Result> {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const whole = files.filter((file) => file.endsWith('.json') && !file.includes('.smallest')).sort();
  return new Map(
    whole.map((file) => [file.slice(0, -'.json'.length), readResult(`${FOLDER}${file}`)] as const),
  );
}

/** The figures of two results of one benchmark that differ, a line each, with those of processor time marked that changed by more than 10 %. */
export function compareResults(before: object, after: object): string[] {
  const [one, other] = [figuresOf(before), figuresOf(after)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const [from, to] = [one.get(name), other.get(name)];
    if (from === to) return [];
    if (from === undefined || to === undefined)
      return [`${name}: ${from ?? 'not there'} → ${to ?? 'not there'}`];
    const percent = ((to - from) / Math.abs(from)) * 100;
    const isNotable = /^cpu_(ms_per|by_process)/.test(name) && Math.abs(percent) > NOTABLE_PERCENT;
    const change = `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
    return [`${name}: ${from} → ${to} (${change})${isNotable ? `  <-- more than ${NOTABLE_PERCENT} %` : ''}`];
  });
}

/** The numbers of a result, also those within others: `cpu_by_process.orders`. */
export function figuresOf(result: object, prefix = ''): Map<string, number> {
  const entries = Object.entries(result).flatMap(([name, value]: [string, unknown]): [string, number][] => {
    if (typeof value === 'number') return [[prefix + name, value]];
    return typeof value === 'object' && value !== null ? [...figuresOf(value, `${prefix}${name}.`)] : [];
  });
  return new Map(entries);
}

/** Compares two files of `bench/results`. Throws a sentence when one is not a result, or they are of different benchmarks. */
export function compareFiles(before: string, after: string): string[] {
  const [one, other] = [readResult(before), readResult(after)];
  if (one.bench !== other.bench)
    throw new Error(`${before} is of ${one.bench}, and ${after} of ${other.bench}`);
  return compareResults(one, other);
}

function readResult(path: string): Result {
  try {
    const result: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (
      typeof result === 'object' &&
      result !== null &&
      'bench' in result &&
      typeof result.bench === 'string'
    )
      return { ...result, bench: result.bench };
  } catch (error) {
    throw new Error(`${path} cannot be read: ${sentenceOf(error)}`, { cause: error });
  }
  throw new Error(`${path} is not the result of a benchmark`);
}
