import { setTimeout as pause } from 'node:timers/promises';
import { meterCpuMs, thisProcess, type Part } from '../lib/cpu-time.ts';
import type { Investor } from '../lib/investor.ts';
import { growthFault, type Wait } from '../lib/growth.ts';
import { drive } from '../lib/load.ts';
import { hundredths } from '../lib/median.ts';
import { memoryMb } from '../lib/memory.ts';
import { atFixedRate } from '../lib/open-loop.ts';
import { quantiles } from '../lib/quantiles.ts';
import { wallNow } from '../lib/receiver.ts';
import { IS_SMALLEST, size } from '../lib/size.ts';
import { countUndelivered, writtenSince } from './databases.ts';
import { webhookFault } from './judge.ts';
import { EXPECTED, Purchase, STEPS, type Market } from './purchase.ts';

const BUYERS = size(64, 4, 'BENCH_BUYERS');
const WARM_UP = size(1_000, 4, 'BENCH_WARM_UP');
const PURCHASES = size(3_000, 8, 'BENCH_PURCHASES');
/** Purchases whose steps are measured one after the other. */
const STEP_PURCHASES = size(500, 4, 'BENCH_STEP_PURCHASES');
const SECONDS = size(300, 2, 'BENCH_SECONDS');
/** The share of the closed part's rate at which the open part buys. */
const LOAD = 0.5;
/** For what a step leaves behind: events without a webhook, successes that are stored in groups. */
const REST_MS = size(1_000, 100);
/** Faults that are printed. */
const SHOWN = 5;

/** Processor milliseconds by process. */
type Cpu = Readonly<Record<string, number>>;

/** The parts of a run, one after the other, and the judgement of all of them. */
export class Run {
  readonly #market: Market;
  readonly #investors: readonly Investor[];
  readonly #parts: readonly Part[];
  readonly #purchases: Purchase[] = [];
  readonly #all: readonly Part[];

  constructor(market: Market, investors: readonly Investor[], parts: readonly Part[]) {
    this.#market = market;
    this.#investors = investors;
    this.#parts = parts;
    this.#all = [...parts, thisProcess('outside')];
  }

  /** `server`: a superuser's URL of the services' PostgreSQL. */
  async measure(server: string): Promise<object> {
    const closed = await this.#closed();
    const cpu_by_step = await this.#stepByStep();
    console.table({ ...cpu_by_step, 'whole purchases': this.#withTotal(closed.cpu_by_process) });
    const rate = closed.purchases_ps * LOAD;
    const [since, began] = [wallNow(), this.#purchases.length];
    await atFixedRate(rate, SECONDS, () => this.#buy());
    const bought = this.#purchases.slice(began);
    const captures = bought.map(({ captured, successful }) => ({ at: captured, ms: successful - captured }));
    const commits = this.#deliveries(bought, await writtenSince(server, since));
    const rss_mb_by_process = Object.fromEntries(this.#all.map((part) => [part.name, memoryMb(part)]));
    const capture = quantiles(captures.map(({ ms }) => ms));
    const commit = quantiles(commits.map(({ ms }) => ms));
    console.log(
      `${bought.length} purchases in ${SECONDS} s by a schedule, ${hundredths(rate)} a second: ` +
        `capture to webhook ${JSON.stringify(capture)}, commit to webhook ${JSON.stringify(commit)}`,
    );
    this.#judge(await countUndelivered(server), captures, commits);
    return {
      ...closed,
      cpu_by_step,
      open_ps: hundredths(rate),
      ...{ capture_to_webhook_p50_ms: capture.p50_ms, capture_to_webhook_p99_ms: capture.p99_ms },
      ...{ commit_to_webhook_p50_ms: commit.p50_ms, commit_to_webhook_p99_ms: commit.p99_ms },
      rss_mb_by_process,
    };
  }

  async #closed() {
    const request = () => this.#buy().then(() => true);
    const common = { clients: BUYERS, warmup: 0, request };
    await drive({ ...common, total: WARM_UP });
    await pause(REST_MS);
    const used = meterCpuMs(this.#all);
    const { rps, p50_ms } = await drive({ ...common, total: PURCHASES });
    await pause(REST_MS);
    const cpu_by_process = used(PURCHASES);
    const purchases_ps = hundredths(rps);
    const cpu_ms_per_purchase = this.#total(cpu_by_process);
    console.log(
      `${PURCHASES} purchases by ${BUYERS} buyers: ${purchases_ps} /s, p50 of a whole purchase ${Math.round(p50_ms)} ms, ` +
        `processor ${cpu_ms_per_purchase} ms a purchase without the outside`,
    );
    return { purchases_ps, cpu_ms_per_purchase, cpu_by_process };
  }

  /** Each step of many purchases before the next step of any. */
  async #stepByStep(): Promise<Record<string, Cpu>> {
    const purchases = Array.from({ length: STEP_PURCHASES }, () => this.#newPurchase());
    const table: Record<string, Cpu> = {};
    for (const { name, take, last } of STEPS) {
      const used = meterCpuMs(this.#all);
      const queue = [...purchases];
      const request = async () => {
        const purchase = queue.pop();
        if (!purchase) throw new Error('each request has its purchase');
        await take(purchase);
        if (last) await purchase.arrived(...last);
        return true;
      };
      await drive({ clients: BUYERS, warmup: 0, total: purchases.length, request });
      await pause(REST_MS);
      const cpu = used(purchases.length);
      table[name] = this.#withTotal(cpu);
    }
    return table;
  }

  async #buy(): Promise<void> {
    const purchase = this.#newPurchase();
    for (const { take } of STEPS) await take(purchase);
  }

  #newPurchase(): Purchase {
    const investor = this.#investors[this.#purchases.length % this.#investors.length];
    if (!investor) throw new Error('there is an investor');
    const purchase = new Purchase(this.#market, investor);
    this.#purchases.push(purchase);
    return purchase;
  }

  #withTotal(cpu: Cpu): Cpu {
    return { ...cpu, 'all but outside': this.#total(cpu) };
  }

  #total(cpu: Cpu): number {
    return hundredths(this.#parts.reduce((sum, { name }) => sum + (cpu[name] ?? 0), 0));
  }

  /** From the moment an event of these purchases was written until its webhook. */
  #deliveries(bought: readonly Purchase[], written: ReadonlyMap<string, number>): Wait[] {
    return bought
      .flatMap(({ order, payment }) => [order, payment])
      .flatMap((object) => this.#market.endpoint.arrivals.get(object) ?? [])
      .map(({ id, at: arrived }) => {
        const at = written.get(id) ?? Number.NaN;
        return { at, ms: arrived - at };
      });
  }

  /** Throws when a webhook is missing, doubled, out of order, forged or undelivered, or when a queue grows. */
  #judge(undelivered: number, captures: readonly Wait[], commits: readonly Wait[]): void {
    const { arrivals, forged } = this.#market.endpoint;
    const ofWebhooks = this.#purchases.flatMap(({ order, payment }) => [
      webhookFault(order, EXPECTED.order, arrivals.get(order) ?? []),
      webhookFault(payment, EXPECTED.payment, arrivals.get(payment) ?? []),
    ]);
    // So few purchases of processes that are still cold say nothing of a queue.
    const ofQueues = IS_SMALLEST
      ? []
      : [growthFault('capture to webhook', captures), growthFault('commit to webhook', commits)];
    const faults = [
      ...ofWebhooks,
      ...ofQueues,
      forged > 0 ? `${forged} webhooks have a wrong signature` : null,
      undelivered > 0 ? `${undelivered} deliveries are not recorded as delivered` : null,
    ].filter((fault) => fault !== null);
    if (faults.length > 0)
      throw new Error([`${faults.length} faults`, ...faults.slice(0, SHOWN)].join('\n  '));
  }
}
