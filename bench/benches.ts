/** One benchmark: its options, and the figures that its line of JSON must have. */
export interface Bench {
  /** Loaded only when it is run: one benchmark's libraries must not count in another's memory. */
  readonly load: () => Promise<() => Promise<object>>;
  /** Figures of a run without options. */
  readonly fields: readonly string[];
  /** Its further figures, by the option that enables them. */
  readonly options?: Readonly<Record<`--${string}`, readonly string[]>>;
}

/** Every benchmark by its name, which is its folder's: `npm run bench -- create-payment`. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  start: {
    load: async () => (await import('./start/start.bench.ts')).startBench,
    fields: ['first_ms', 'later_ms', 'stop_ms', 'rss_mb', 'later_of_first'],
  },
  'create-payment': {
    load: async () => (await import('./create-payment/create-payment.bench.ts')).createPaymentBench,
    fields: ['ours_rps', 'ceiling_rps', 'baseline_rps', 'of_ceiling', 'times_baseline', 'p50_ms', 'p99_ms'],
  },
  relay: {
    load: async () => (await import('./relay/relay.bench.ts')).relayBench,
    fields: ['relay_eps', 'ceiling_eps', 'naive_eps', 'of_ceiling', 'missing', 'out_of_order', 'stream'],
  },
  latency: {
    load: async () => (await import('./latency/latency.bench.ts')).latencyBench,
    fields: ['latency_20'],
  },
  limits: {
    load: async () => (await import('./limits/limits.bench.ts')).limitsBench,
    fields: ['cost_us', 'alone_p99_ms', 'beside_flood_p99_ms', 'ratio', 'flood_let_in', 'flood_refused'],
  },
  lists: {
    load: async () => (await import('./lists/lists.bench.ts')).listsBench,
    fields: ['p50_100k_ms', 'p50_10m_ms', 'ratio', 'status', 'deep_page', 'last_page', 'one'],
  },
  debits: {
    load: async () => (await import('./debits/debits.bench.ts')).debitsBench,
    fields: ['debits_ps', 'rss_peak_mb', 'live_heap_end_mb', 'limited'],
  },
  'raise-debits': {
    load: async () => (await import('./raise-debits/raise-debits.bench.ts')).raiseDebitsBench,
    fields: ['raised_ps', 'one_by_one_ps', 'times_one_by_one', 'doubles', 'missed', 'load'],
  },
  degraded: {
    load: async () => (await import('./degraded/degraded.bench.ts')).degradedBench,
    fields: ['reads_p99_ms', 'reads_p99_hanging_ms', 'reads_ratio', 'orders_ratio', 'calls_when_hanging'],
  },
  clock: {
    load: async () => (await import('./clock/clock.bench.ts')).clockBench,
    fields: ['objects', 'standalone_s', 'standalone_again_s', 'processes_s', 'processes_again_s'],
  },
  memory: {
    load: async () => (await import('./memory/memory.bench.ts')).memoryBench,
    fields: ['demos', 'start_mb', 'after_ten_mb', 'peak_mb', 'slope_mb_per_hour'],
  },
  swp: {
    load: async () => (await import('./swp/swp.bench.ts')).swpBench,
    fields: ['plans', 'seconds', 'seconds_to_orders', 'doubles', 'missed', 'p99_ratio', 'one_by_one_ps'],
  },
  sip: {
    load: async () => (await import('./sip/sip.bench.ts')).sipBench,
    fields: ['plans', 'seconds', 'seconds_to_orders', 'doubles', 'missed', 'p99_ratio'],
  },
  webhooks: {
    load: async () => (await import('./webhooks/webhooks.bench.ts')).webhooksBench,
    fields: [
      'deliveries_ps',
      'delivery_cpu_us',
      'p99_queue_ms',
      'with_dead_p99_queue_ms',
      'without_dead_ps',
      'loss_pct',
    ],
    options: { '--growth': ['cost_100k_us', 'cost_10m_us', 'growth_ratio', 'processor_ratio'] },
  },
  peers: {
    load: async () => (await import('./peers/peers.bench.ts')).peersBench,
    fields: ['peers', 'left_out'],
  },
  walk: {
    load: async () => (await import('./walk/walk.bench.ts')).walkBench,
    fields: [
      ...['purchases_ps', 'cpu_ms_per_purchase', 'cpu_by_process', 'cpu_by_step', 'rss_mb_by_process'],
      ...['capture_to_webhook_p50_ms', 'capture_to_webhook_p99_ms'],
      ...['commit_to_webhook_p50_ms', 'commit_to_webhook_p99_ms'],
    ],
  },
};
