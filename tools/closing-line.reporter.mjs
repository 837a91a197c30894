import { writeSync } from 'node:fs';

/** Prints Jest's own figures as the very last line of the run: `N passed, N failed` and, when there are any, `, N skipped`. */
export default class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
    // Jest itself prints its summary after this hook, so the line waits for the end of the process.
    process.once('exit', () => writeSync(1, line));
  }
}
