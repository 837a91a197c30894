import { RECONCILIATION_KINDS } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import type { Sample } from '../metrics/lookups.ts';

const FINDINGS = 'fundrail_reconciliation_findings';
const LAST_END = 'fundrail_reconciliation_last_end_timestamp_seconds';
/** The final states of a finding; a suspect of the current run is checked again and not counted. */
const STATES = ['open', 'repaired'] as const;

// During a run, the previous one is the last that ended; its findings are kept until the next run starts.
const LEFT = sql(
  'reconciliation_run.left',
  `SELECT r.whole_at, f.kind, f.state, f.n
     FROM reconciliation_run r
     LEFT JOIN (
       SELECT kind, state, count(*)::int AS n FROM reconciliation_findings
        WHERE run = (SELECT CASE WHEN phase = 'idle' THEN run ELSE run - 1 END FROM reconciliation_run)
          AND state IN ('open', 'repaired')
        GROUP BY kind, state
     ) f ON true`,
);

interface Left {
  readonly whole_at: Date | null;
  readonly kind: string | null;
  readonly state: string | null;
  readonly n: number | null;
}

/**
 * Exports the findings of the last run, and when the last complete run ended. Every kind of the closed list is exported, with 0 when it
 * has no findings. All replicas export the same values, because they read them from the service's database.
 */
export function addReconciliationMetrics(
  metrics: Pick<ServiceMetrics, 'gauges'>,
  database: Pick<Queryable, 'query'>,
): void {
  const findings = {
    name: FINDINGS,
    help: 'Findings of the last ended run of reconciliation: `open` needs an operator, `repaired` was repaired',
    labelNames: ['kind', 'state'],
  };
  const lastEnd = {
    name: LAST_END,
    help: 'When the last run of reconciliation that compared everything ended, in Unix seconds; 0 before the first',
  };
  metrics.gauges([findings, lastEnd], async () => samples(await database.query<Left>(LEFT)));
}

function samples(left: readonly Left[]): Sample[] {
  const counts = new Map(left.map(({ kind, state, n }) => [`${kind} ${state}`, n]));
  const found = Object.keys(RECONCILIATION_KINDS).flatMap((kind) =>
    STATES.map((state) => ({
      name: FINDINGS,
      labels: { kind, state },
      value: counts.get(`${kind} ${state}`) ?? 0,
    })),
  );
  const wholeAt = left[0]?.whole_at ?? null;
  return [...found, { name: LAST_END, value: wholeAt === null ? 0 : wholeAt.getTime() / 1000 }];
}
