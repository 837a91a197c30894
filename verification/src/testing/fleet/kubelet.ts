import { setTimeout as pause } from 'node:timers/promises';
import type { Replica } from './replica.ts';

const LOOK_EVERY_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;
/** More misses in a row than a pause of 5 s causes, so that such a pause does not end a process. */
const MISSES_ALLOWED = 10;

/** What Kubernetes does for pods: restarts processes that have ended, and ends those that are not live any more. */
export class Kubelet {
  /** Processes that it had to end because they were not live any more. */
  readonly notLive: string[] = [];
  /** Processes that ended by themselves: those that found no database at their start, and those with a defect. */
  readonly crashed: string[] = [];
  readonly #misses = new Map<Replica, number>();
  readonly #stopping = new AbortController();
  readonly #watches: Promise<void>[] = [];

  /** @param log receives a line for everything that it does. */
  constructor(private readonly log: (line: string) => void) {}

  /** Watches the replicas until `stop`. */
  watch(replicas: readonly Replica[]): void {
    this.#watches.push(...replicas.map((replica) => this.#check(replica)));
  }

  /** Starts nothing more; resolves when the running starts have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#watches);
  }

  async #check(replica: Replica): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (!replica.isRunning) await this.#restart(replica);
      else if (await this.#isDead(replica)) await this.#end(replica);
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** A start that fails, for example because its database is down, is retried at the next check. */
  async #restart(replica: Replica): Promise<void> {
    this.#noteCrash(replica);
    this.#misses.delete(replica);
    await replica.start().catch(() => undefined);
  }

  #noteCrash(replica: Replica): void {
    if (!replica.hasCrashed) return;
    this.crashed.push(replica.name);
    this.log(`${replica.name} has ended by itself:\n${lastWords(replica)}`);
  }

  async #isDead(replica: Replica): Promise<boolean> {
    const { url } = replica;
    const isLive = url !== null && (await answersLive(url));
    const misses = isLive ? 0 : (this.#misses.get(replica) ?? 0) + 1;
    this.#misses.set(replica, misses);
    return misses > MISSES_ALLOWED;
  }

  async #end(replica: Replica): Promise<void> {
    this.notLive.push(replica.name);
    this.log(`${replica.name} is not live any more, and is ended:\n${lastWords(replica)}`);
    await replica.kill();
  }
}

function answersLive(url: string): Promise<boolean> {
  return fetch(`${url}/health/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The last output of a process: for an uncaught error its message and its origin. */
function lastWords({ output }: Replica): string {
  return output.trim().split('\n').slice(-12).join('\n');
}
