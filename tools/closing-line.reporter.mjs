import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { sizeOf } from './jest/sizes.ts';
import { HOW_TO_GET, needOfLeftOut } from '../libs/testing/src/infrastructure/needs.ts';

const MOST_LISTED = 10;
const SHORT =
  'At the short size: a sample of the crash points, and less of what is random. `npm run test:long`, or CI=true, runs all of it.\n';

/**
 * Prints Jest's own figures as the very last line of the run: `N passed, N failed` and, when there are any, `, N skipped`.
 * Before it, the ten slowest files of a run with more, the suites that were skipped because this machine has no Kafka or no Docker,
 * and how to get it, and that the run was a short one.
 */
export default class ClosingLineReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
    const size = sizeOf(process.env) === 'short' ? SHORT : '';
    const notice = this.slowestOf(results.testResults) + this.noticeOf(leftOut(results)) + size;
    // Jest itself prints its summary after this hook, so the lines wait for the end of the process.
    process.once('exit', () => writeSync(1, notice + line));
  }

  slowestOf(suites) {
    if (suites.length <= MOST_LISTED) return '';
    const slowest = suites
      .toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime)
      .slice(0, MOST_LISTED);
    const seconds = (sum) => (sum / 1000).toFixed(1).padStart(8);
    const whole = suites.reduce((sum, { perfStats }) => sum + perfStats.runtime, 0);
    const lines = slowest.map(
      ({ perfStats, testFilePath }) =>
        `${seconds(perfStats.runtime)} s  ${relative(this.rootDir, testFilePath)}`,
    );
    return ['', `The slowest of ${suites.length} files:`, ...lines, `${seconds(whole)} s  in all`, ''].join(
      '\n',
    );
  }

  noticeOf(suitesByNeed) {
    const paragraphs = Object.entries(suitesByNeed).map(([need, suites]) =>
      [
        `NOT RUN, because there is no ${need} here:`,
        ...suites.map(
          ({ file, title, tests }) =>
            `  ${relative(this.rootDir, file)}: ${title} (${tests === 1 ? '1 test' : `${tests} tests`})`,
        ),
        `To run them: ${HOW_TO_GET[need]}.`,
      ].join('\n'),
    );
    return paragraphs.length > 0 ? `\n${paragraphs.join('\n\n')}\n\n` : '';
  }
}

/** The suites that `describeWithKafka` and `describeWithDocker` skipped, by what they need. */
function leftOut(results) {
  const suites = results.testResults.flatMap(({ testFilePath: file, testResults }) => {
    const titles = testResults.map(({ ancestorTitles }) => ancestorTitles.find(needOfLeftOut));
    return Object.entries(Object.groupBy(titles.filter(Boolean), (title) => title)).map(
      ([marked, tests]) => ({
        file,
        need: needOfLeftOut(marked),
        title: marked.replace(/ \[.*\]$/, ''),
        tests: tests.length,
      }),
    );
  });
  return Object.groupBy(suites, ({ need }) => need);
}
