/** A server for one test run. `stop` ends it only when it was started for the run. */
export interface StartedServer {
  /** A superuser's URL of PostgreSQL's database `postgres`, or Kafka's `host:port,host:port`. */
  readonly address: string;
  /** Where it was found, for people. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** A server that was there before the run and stays after it. */
export function given(address: string, origin: string): StartedServer {
  return { address, origin, stop: () => Promise.resolve() };
}

/** A run that is ended by a signal, or by a failed set-up, must not leave behind what it started outside Docker. */
export function endWithThisProcess(kill: () => void): void {
  process.once('exit', kill);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      kill();
      process.kill(process.pid, signal);
    });
  }
}

/** For the line that says why something is not used. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
