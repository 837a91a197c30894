import { figuresOf, type Result } from '../results.ts';

/** What one processor does in a second, from a kept result. */
interface Work {
  readonly bench: string;
  readonly about: string;
  /** Microseconds of processor for one, or a thousand times as much in milliseconds. */
  readonly cost?: { readonly figure: string; readonly microseconds: number };
  /** Where only a rate is kept, it is divided by the machine's processors: clients and the outside world are in it. */
  readonly rate?: string;
  readonly counts: string;
}

/** Every row of the table, in its order. */
const WORKS: readonly Work[] = [
  {
    bench: 'walk',
    about: 'whole purchases, from the order to the last of their 13 webhooks',
    cost: { figure: 'cpu_ms_per_purchase', microseconds: 1_000 },
    counts: 'all services, PostgreSQL, Kafka',
  },
  {
    bench: 'create-payment',
    about: 'payments created over HTTP',
    rate: 'ours_rps',
    counts: 'payments, orders, identity, PostgreSQL, the clients',
  },
  {
    bench: 'debits',
    about: 'debits sent to the provider',
    rate: 'debits_ps',
    counts: 'mandates, PostgreSQL, the provider',
  },
  {
    bench: 'raise-debits',
    about: 'debits of installments raised and stored',
    rate: 'raised_ps',
    counts: 'orders, payments, mandates, PostgreSQL',
  },
  {
    bench: 'peers',
    about: 'installments of plans generated',
    cost: { figure: 'peers.pg-boss.ours_cpu_us', microseconds: 1 },
    counts: 'the scheduler, PostgreSQL',
  },
  {
    bench: 'peers',
    about: 'events published from an outbox to Kafka',
    cost: { figure: 'peers.debezium.ours_cpu_us', microseconds: 1 },
    counts: 'the relay, PostgreSQL',
  },
  {
    bench: 'webhooks',
    about: 'webhooks delivered, each attempt kept',
    cost: { figure: 'delivery_cpu_us', microseconds: 1 },
    counts: 'webhooks, PostgreSQL',
  },
];

/** The rows of the works that were measured: what, how many a second, and whose processor is in it. */
export function perProcessor(results: ReadonlyMap<string, Result>): string[][] {
  return WORKS.flatMap(({ bench, about, cost, rate = '', counts }) => {
    const figures = figuresOf(results.get(bench) ?? {});
    const spentUs = cost && (figures.get(cost.figure) ?? 0) * cost.microseconds;
    const perSecond =
      spentUs === undefined
        ? (figures.get(rate) ?? 0) / (figures.get('machine.processors') ?? 1)
        : 1_000_000 / spentUs;
    if (perSecond === 0 || perSecond === Infinity) return [];
    return [[`\`${bench}\``, about, String(Number(perSecond.toPrecision(2))), counts]];
  });
}
