import { Counter, Gauge, type Registry } from 'prom-client';
import { setTimeout as pause } from 'node:timers/promises';

/** Well within Prometheus' usual 10 s for a scrape; a pool without a server waits longer for its connection. */
const LOOK_LIMIT_MS = 1_000;

/** A gauge: its name, its help text, and its labels. */
export interface GaugeDefinition {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** A value of the gauge of that name. */
export interface Sample {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

type Look = () => Promise<readonly Sample[]> | readonly Sample[];

interface Lookup {
  readonly gauges: ReadonlyMap<string, Gauge>;
  readonly look: Look;
  /** An earlier look-up that has not ended yet; no second one is started. */
  running: Promise<unknown> | null;
}

/**
 * Gauges that are looked up at each scrape. A look-up that fails or is late is left out of that scrape and counted in
 * `fundrail_lookups_failed_total`; the others are exported.
 */
export class Lookups {
  readonly #all: Lookup[] = [];
  readonly #failed: Counter;
  #running: Promise<void> | null = null;

  constructor(private readonly registry: Registry) {
    this.#failed = new Counter({
      name: 'fundrail_lookups_failed_total',
      help: 'Look-ups that failed during a scrape; their values are left out',
      registers: [registry],
    });
  }

  /** `look` returns the values of these gauges. */
  add(definitions: readonly GaugeDefinition[], look: Look): void {
    const registers = [this.registry];
    const gauges = new Map(
      definitions.map(({ name, help, labelNames = [] }) => [
        name,
        new Gauge({ name, help, labelNames, registers }),
      ]),
    );
    this.#all.push({ gauges, look, running: null });
  }

  /** Runs all look-ups at the same time, each for a second at most; calls during a run share its result. Never rejects. */
  run(): Promise<void> {
    this.#running ??= Promise.all(this.#all.map((lookup) => this.#update(lookup)))
      .then(() => undefined)
      .finally(() => (this.#running = null));
    return this.#running;
  }

  async #update(lookup: Lookup): Promise<void> {
    const samples = lookup.running ? null : await inTime(lookup);
    for (const gauge of lookup.gauges.values()) clear(gauge);
    if (!samples) {
      this.#failed.inc();
      return;
    }
    for (const { name, labels = {}, value } of samples) lookup.gauges.get(name)?.set(labels, value);
  }
}

/** Null when it fails or takes too long; a late one is not cancelled. */
async function inTime(lookup: Lookup): Promise<readonly Sample[] | null> {
  const over = new AbortController();
  const late = pause(LOOK_LIMIT_MS, null, { signal: over.signal, ref: false }).catch(() => null);
  const answer = Promise.resolve()
    .then(lookup.look)
    .catch(() => null);
  lookup.running = answer.finally(() => (lookup.running = null));
  const samples = await Promise.race([answer, late]);
  over.abort();
  return samples;
}

/** Removes all values; `reset` alone leaves a gauge without labels at 0. */
function clear(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}
