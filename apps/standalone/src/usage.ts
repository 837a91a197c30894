/** Prints the usage and exits with 0 when the arguments contain `--help` or `-h`. */
export function endWithHelp(usage: string, args: readonly string[] = process.argv.slice(2)): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  console.log(usage);
  process.exit(0);
}

/** Exits with 2 and one line: what is wrong, and how to see the usage of `npm run <command>`. */
export function refuseArguments(command: string, why: string): never {
  const [line = ''] = why.split('\n');
  console.error(`${line}${line.endsWith('.') ? '' : ';'} see npm run ${command} -- --help`);
  process.exit(2);
}

/** What was thrown, as a sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
