import { setTimeout as pause } from 'node:timers/promises';
import type { Replica } from './replica.ts';

const LOOK_EVERY_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;
/** More misses in a row than a pause of 5 s makes: that is no reason to end a process. */
const MISSES_ALLOWED = 10;

/** What Kubernetes does for pods: starts again what has ended, and ends what is not live any more. */
export class Kubelet {
  /** Processes that it had to end because they were not live any more: none, as long as nobody is stuck. */
  readonly notLive: string[] = [];
  /** Processes that ended by themselves: those that found no database at their start, and whoever has a defect. */
  readonly crashed: string[] = [];
  readonly #misses = new Map<Replica, number>();
  readonly #stopping = new AbortController();
  readonly #watches: Promise<void>[] = [];

  /** @param tell gets a line for whatever it does on its own account. */
  constructor(private readonly tell: (line: string) => void) {}

  /** Looks after the replicas until `stop`. */
  watch(replicas: readonly Replica[]): void {
    this.#watches.push(...replicas.map((replica) => this.#lookAfter(replica)));
  }

  /** Starts nothing more; resolves when the starts that run have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#watches);
  }

  async #lookAfter(replica: Replica): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (!replica.isRunning) await this.#startAgain(replica);
      else if (await this.#isDead(replica)) await this.#end(replica);
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** A start that fails, because its database is down for example, is tried again at the next look. */
  async #startAgain(replica: Replica): Promise<void> {
    this.#noteCrash(replica);
    this.#misses.delete(replica);
    await replica.start().catch(() => undefined);
  }

  #noteCrash(replica: Replica): void {
    if (!replica.hasCrashed) return;
    this.crashed.push(replica.name);
    this.tell(`${replica.name} has ended by itself:\n${lastWords(replica)}`);
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
    this.tell(`${replica.name} is not live any more, and is ended:\n${lastWords(replica)}`);
    await replica.kill();
  }
}

function answersLive(url: string): Promise<boolean> {
  return fetch(`${url}/health/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** What a process said last: of an uncaught error its message and where it came from. */
function lastWords({ output }: Replica): string {
  return output.trim().split('\n').slice(-12).join('\n');
}
