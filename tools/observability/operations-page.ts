import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** A page of docs/operations. */
export function operationsPage(name: 'alerts.md' | 'monitoring.md'): string {
  return readFileSync(join(ROOT, 'docs/operations', name), 'utf8');
}

/** The metrics in the table of docs/operations/monitoring.md, with their labels; `process_*` stands for all names that begin so. */
export function metricTable(page: string): ReadonlyMap<string, readonly string[]> {
  const section = page.slice(page.indexOf('\n## Metrics\n'), page.indexOf('\n## Watching it\n'));
  const rows = [...section.matchAll(/^\| (`[^|]*`) +\|([^|]*)\|/gm)];
  return new Map(
    rows.flatMap(([, names = '', labels = '']) => {
      // After a colon come the values of the label before it.
      const labelNames = [...labels.replaceAll(/: `[^;]*?(?=, `\w+`:|\s*$)/g, '').matchAll(/`(\w+)`/g)];
      return [...names.matchAll(/`([\w*]+)`/g)].map(
        ([, name = '']) => [name, labelNames.map(([, label = '']) => label)] as const,
      );
    }),
  );
}

/** Whether the table has the metric; of a histogram, also its `_bucket`, `_sum` and `_count`. */
export function isInTable(table: ReadonlyMap<string, unknown>, metric: string): boolean {
  const base = metric.replace(/_(bucket|sum|count)$/, '');
  return [...table.keys()].some((name) =>
    name.endsWith('*') ? metric.startsWith(name.slice(0, -1)) : name === metric || name === base,
  );
}
