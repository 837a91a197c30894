const EVERY_MS = 1_000;

/**
 * Shows on a terminal that a benchmark works: a line with its seconds that changes every second. Where the output is no terminal,
 * nothing is written. Returns a function that removes the line.
 */
export function showProgress(name: string, terminal: NodeJS.WriteStream = process.stderr): () => void {
  if (!terminal.isTTY) return () => undefined;
  const began = performance.now();
  // The cursor goes back to the start of the line, so a line of the benchmark's own takes its place.
  const show = () => terminal.write(`\u001B[K${name}: ${Math.round((performance.now() - began) / 1000)} s\r`);
  const timer = setInterval(show, EVERY_MS);
  return () => {
    clearInterval(timer);
    terminal.write('\u001B[K');
  };
}
