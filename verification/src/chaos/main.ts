import { endWithHelp, refuseArguments, sentenceOf } from '@fundrail/standalone';
import { parseArgs } from 'node:util';
import { ChaosStage } from '../testing/chaos/chaos-stage.ts';
import { linesOf } from '../testing/chaos/chaos-report.ts';
import { runChaos, type ChaosOptions } from '../testing/chaos/chaos-run.ts';

const USAGE = `npm run chaos         kills processes, Kafka and PostgreSQL while buyers buy; exits with 0 when nothing was lost
  -- --kills 50       how many faults
  -- --seed S         the same faults again
  -- --buyers 20      how many buy meanwhile`;

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
    log: (line) => console.log(`${elapsed()}  ${line}`),
  };
}

/** Seconds since the start of the process, for the margin. */
function elapsed(): string {
  return `${(performance.now() / 1_000).toFixed(1).padStart(6)} s`;
}

/** Ctrl-C and SIGTERM end the run, with the processes and servers that it started. */
function interrupted(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
}

async function run(options: ChaosOptions): Promise<boolean> {
  const { seed, kills, log } = options;
  log(`chaos: seed ${seed}, ${kills} faults; again with: npm run chaos -- --kills ${kills} --seed ${seed}`);
  const signal = interrupted();
  const stage = await Promise.race([ChaosStage.open(log), signal]);
  log(`${stage.fleet.replicas().length} processes run`);
  try {
    const report = await Promise.race([runChaos(stage, options), signal]);
    for (const line of linesOf(report)) console.log(line);
    return report.findings.length === 0;
  } finally {
    await stage.close();
  }
}

function options(): ChaosOptions {
  try {
    return optionsOf(process.argv.slice(2));
  } catch (error) {
    return refuseArguments('chaos', sentenceOf(error));
  }
}

endWithHelp(USAGE);
const asked = options();
try {
  const isSound = await run(asked);
  process.exit(isSound ? 0 : 1);
} catch (error) {
  console.error(sentenceOf(error));
  process.exit(1);
}
