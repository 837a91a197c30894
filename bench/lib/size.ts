/** Set by `npm run bench -- all --smallest`, and by `--smallest` after the name of one benchmark. */
export const IS_SMALLEST = process.env['BENCH_SMALLEST'] === 'yes';

/**
 * A size of a benchmark: its variable if it is set, else the usual size. With `--smallest` it is the least size that still runs every
 * step of the benchmark; its figures are meaningless.
 */
export function size(usual: number, smallest: number, variable?: string): number {
  const given = variable === undefined ? undefined : process.env[variable];
  if (given !== undefined) return Number(given);
  return IS_SMALLEST ? smallest : usual;
}
