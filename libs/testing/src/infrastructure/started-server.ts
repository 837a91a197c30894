/** A server for one test run. `stop` ends it only when it was started for the run. */
export interface StartedServer {
  /** A superuser's URL of PostgreSQL's database `postgres`, or Kafka's `host:port,host:port`. */
  readonly address: string;
  /** Where it was found, for messages. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** A server that ran before the test run and stays afterwards. */
export function given(address: string, origin: string): StartedServer {
  return { address, origin, stop: () => Promise.resolve() };
}

/** Ends what a run has started outside Docker when the run is ended by a signal or a failed set-up. */
export function endWithThisProcess(kill: () => void): void {
  process.once('exit', kill);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      kill();
      process.kill(process.pid, signal);
    });
  }
}

/** The error's message, for the line that states why something is not used. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
