import { parseArgs } from 'node:util';
import { ChaosStage } from '../testing/chaos/chaos-stage.ts';
import { linesOf } from '../testing/chaos/chaos-report.ts';
import { runChaos, type ChaosOptions } from '../testing/chaos/chaos-run.ts';

const USAGE = 'npm run chaos -- [--kills N] [--seed S] [--buyers B]';

function optionsOf(args: readonly string[]): ChaosOptions {
  const number = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { kills: number, seed: number, buyers: number } });
  const read = (name: keyof typeof values, byDefault: number) => {
    const value = Number(values[name] ?? byDefault);
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number`);
    return value;
  };
  return {
    kills: read('kills', 50),
    seed: read('seed', Math.floor(Math.random() * 2 ** 31)),
    buyers: read('buyers', 20),
    tell: (line) => console.log(`${elapsed()}  ${line}`),
  };
}

/** Seconds since the start of the process, for the margin. */
function elapsed(): string {
  return `${(performance.now() / 1_000).toFixed(1).padStart(6)} s`;
}

/** Ctrl-C and SIGTERM end the run; the processes and servers that it started go with it. */
function interrupted(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
}

async function run(options: ChaosOptions): Promise<boolean> {
  const { seed, kills, tell } = options;
  tell(`chaos: seed ${seed}, ${kills} faults; again with: npm run chaos -- --kills ${kills} --seed ${seed}`);
  const signal = interrupted();
  const stage = await Promise.race([ChaosStage.open(tell), signal]);
  tell(`${stage.fleet.replicas().length} processes run`);
  try {
    const report = await Promise.race([runChaos(stage, options), signal]);
    for (const line of linesOf(report)) console.log(line);
    return report.findings.length === 0;
  } finally {
    await stage.close();
  }
}

try {
  const isSound = await run(optionsOf(process.argv.slice(2)));
  process.exit(isSound ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? `${error.message}\n${USAGE}` : error);
  process.exit(1);
}
