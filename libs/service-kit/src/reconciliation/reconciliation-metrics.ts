import { RECONCILIATION_KINDS } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/messaging';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import type { Sample } from '../metrics/lookups.ts';

const FINDINGS = 'fundrail_reconciliation_findings';
const LAST_END = 'fundrail_reconciliation_last_end_timestamp_seconds';
/** What a finding ends as; what a run that goes on has in doubt is looked at again, and is no finding yet. */
const STATES = ['open', 'repaired'] as const;

// While a run goes on, the one before is the last that ended; its findings are kept until the next one begins.
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
 * Tells Prometheus what the last run has left, and when the last whole one ended. Every kind is told, with 0 where there is nothing:
 * the list is closed. All replicas tell the same, as it is read from the service's database.
 */
export function tellReconciliation(
  metrics: Pick<ServiceMetrics, 'gauges'>,
  database: Pick<Queryable, 'query'>,
): void {
  const findings = {
    name: FINDINGS,
    help: 'What the last run of reconciliation that has ended found: `open` is for a person, `repaired` was mended',
    labelNames: ['kind', 'state'],
  };
  const lastEnd = {
    name: LAST_END,
    help: 'When the last run of reconciliation ended that could compare everything, in Unix seconds; 0 before the first',
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
