import { Counter, Gauge, type Registry } from 'prom-client';
import { setTimeout as pause } from 'node:timers/promises';

/** Well within Prometheus' usual 10 s for all of a scrape; a pool without a server waits longer for its connection. */
const LOOK_LIMIT_MS = 1_000;

/** A gauge: its name, what it says, and its labels. */
export interface Told {
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
  /** An earlier question that is not answered yet: no second one is asked. */
  asked: Promise<unknown> | null;
}

/**
 * Gauges whose values are asked for when Prometheus comes. What does not answer in time, or with an error, is left out of that
 * answer, and `fundrail_lookups_failed_total` counts it: the rest is told all the same.
 */
export class Lookups {
  readonly #all: Lookup[] = [];
  readonly #failed: Counter;
  #running: Promise<void> | null = null;

  constructor(private readonly registry: Registry) {
    this.#failed = new Counter({
      name: 'fundrail_lookups_failed_total',
      help: 'Questions without an answer when Prometheus came; their values are left out',
      registers: [registry],
    });
  }

  /** `look` answers the values of these gauges. */
  add(told: readonly Told[], look: Look): void {
    const registers = [this.registry];
    const gauges = new Map(
      told.map(({ name, help, labelNames = [] }) => [name, new Gauge({ name, help, labelNames, registers })]),
    );
    this.#all.push({ gauges, look, asked: null });
  }

  /** Asks all of them at the same time, each for a second at most; whoever comes meanwhile shares the answers. Never rejects. */
  run(): Promise<void> {
    this.#running ??= Promise.all(this.#all.map((lookup) => this.#ask(lookup)))
      .then(() => undefined)
      .finally(() => (this.#running = null));
    return this.#running;
  }

  async #ask(lookup: Lookup): Promise<void> {
    const samples = lookup.asked ? null : await inTime(lookup);
    for (const gauge of lookup.gauges.values()) forget(gauge);
    if (!samples) {
      this.#failed.inc();
      return;
    }
    for (const { name, labels = {}, value } of samples) lookup.gauges.get(name)?.set(labels, value);
  }
}

/** Null when it fails, or takes too long; then it is left to end by itself. */
async function inTime(lookup: Lookup): Promise<readonly Sample[] | null> {
  const over = new AbortController();
  const late = pause(LOOK_LIMIT_MS, null, { signal: over.signal, ref: false }).catch(() => null);
  const answer = Promise.resolve()
    .then(lookup.look)
    .catch(() => null);
  lookup.asked = answer.finally(() => (lookup.asked = null));
  const samples = await Promise.race([answer, late]);
  over.abort();
  return samples;
}

/** No value at all; `reset` leaves a gauge without labels at 0. */
function forget(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}
