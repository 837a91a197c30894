import { Log, logLibrariesTo } from '@fundrail/service-kit';
import { endWithHelp, refuseArguments, sentenceOf } from '../apps/standalone/src/usage.ts';
import { BENCHES } from './benches.ts';
import { showProgress } from './lib/progress.ts';
import { writeReport } from './report/report.ts';
import { compareFiles, writeResult } from './results.ts';
import { runAllSmallest } from './smallest.ts';

// The log lines of kafkajs do not belong in a report.
logLibrariesTo(Log.to('bench', 'warn'));

const SMALLEST = '--smallest';
const [name = '', ...options] = process.argv.slice(2);
const usage = `usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')} [${SMALLEST}], or: npm run bench -- all ${SMALLEST}
or: npm run bench -- compare <result.json> <later result.json>
or: npm run bench -- report`;
endWithHelp(usage);

// Started processes end with this one, also after Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.error(`ended by ${signal}`);
    process.exit(1);
  });

const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (name === 'all' && options.length === 1 && options[0] === SMALLEST) {
  process.exitCode = await runAllSmallest(BENCHES);
} else if (name === 'report' && options.length === 0) {
  for (const line of await writeReport()) console.log(line);
} else if (name === 'compare' && options.length === 2) {
  try {
    const [before = '', after = ''] = options;
    console.log(compareFiles(before, after).join('\n') || 'no figure differs');
  } catch (error) {
    refuseArguments('bench', sentenceOf(error));
  }
} else if (bench) {
  // The sizes are read when the benchmark is loaded, and it reads its own options itself.
  if (options.includes(SMALLEST)) {
    process.env['BENCH_SMALLEST'] = 'yes';
    process.argv.splice(process.argv.indexOf(SMALLEST), 1);
  }
  const measure = await bench.load();
  const hideProgress = showProgress(name);
  // Each benchmark ends with one line of JSON.
  const result = { bench: name, ...(await measure().finally(hideProgress)) };
  const own = options.filter((option) => Object.hasOwn(bench.options ?? {}, option));
  // A run that measures nothing must not replace one that does.
  const small = process.env['BENCH_SMALLEST'] === 'yes' ? ['.smallest'] : [];
  writeResult([name, ...own, ...small].join(''), result);
  console.log(JSON.stringify(result));
} else {
  refuseArguments('bench', name === '' ? 'a benchmark is missing' : `there is no such benchmark: ${name}`);
}
