import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isInTable, metricTable, operationsPage, ROOT } from './operations-page.ts';
import { hasPromtool, promtool } from './promtool.ts';

const FOLDER = join(ROOT, 'docker/observability');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface RuleTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

/** In the order of the alerts. */
const RULE_TESTS = ['alerts.test.yml', 'alerts-of-days.test.yml'];

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const rules = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (one) => one.rules,
);
const files = globSync('grafana/dashboards/*.json', { cwd: FOLDER });
const dashboards = files.map((file) => JSON.parse(read(file)) as Dashboard);
const panels = dashboards.flatMap((one) => one.panels);
const alertsPage = operationsPage('alerts.md');
const monitoringPage = operationsPage('monitoring.md');

/** The names of metrics in a query: words without a parenthesis behind them that are not labels, keywords or variables. */
function metricsIn(query: string): string[] {
  const bare = query.replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]|\b(by|without)\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => /[a-z]_|^up$/.test(name));
}

describe('the alerts', () => {
  it.each(rules)(
    '$alert has its runbook in docs/operations/alerts.md, and links to it',
    ({ alert, labels, annotations }) => {
      expect(alertsPage).toContain(`\n### ${alert}\n\n`);
      expect(annotations.runbook).toBe(`docs/operations/alerts.md#${alert.toLowerCase()}`);
      expect(alertsPage).toMatch(
        new RegExp(`^\\| \\[${alert}\\]\\(#${alert.toLowerCase()}\\) .*\\| ${labels.severity} +\\|$`, 'm'),
      );
    },
  );

  it('are exactly those of the page', () => {
    const documented = [...alertsPage.matchAll(/^### (Fundrail\w+)$/gm)].map(([, name]) => name);
    expect(documented).toEqual(rules.map(({ alert }) => alert));
  });

  it('are each tried, firing and not', () => {
    const tests = RULE_TESTS.flatMap((file) => (parse(read(file)) as { tests: RuleTest[] }).tests);
    const tried = tests.flatMap((one) => one.alert_rule_test);
    const fire = (does: boolean) =>
      tried.filter(({ exp_alerts }) => exp_alerts.length > 0 === does).map(({ alertname }) => alertname);
    expect([...new Set(fire(true))]).toEqual(rules.map(({ alert }) => alert));
    expect([...new Set(fire(false))]).toEqual(rules.map(({ alert }) => alert));
  });

  // Debian's package `prometheus` has it, and .ci/run installs that where it may.
  // With CI nothing is left out: there it fails where promtool is missing.
  const withPromtool = hasPromtool() || process.env['CI'] ? it : it.skip;
  withPromtool('are understood by Prometheus, and fire when they should', () => {
    expect(promtool(FOLDER, 'check', 'config', 'prometheus.yml')).toMatch(/^ok\n/);
    expect(promtool(FOLDER, 'test', 'rules', ...RULE_TESTS)).toMatch(/^ok\n/);
  });
});

describe('alerts and dashboards', () => {
  const queries = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  it('use only metrics that the product exports', () => {
    const table = metricTable(monitoringPage);
    const asked = [...new Set(queries.flatMap(metricsIn))];
    expect(asked.length).toBeGreaterThan(15);
    // Of Prometheus itself, and of kube-state-metrics.
    const isOthers = (name: string) => name === 'up' || name.startsWith('kube_');
    expect(asked.filter((name) => !isOthers(name) && !isInTable(table, name))).toEqual([]);
  });

  it('leave out no metric of ours', () => {
    const asked = queries.flatMap(metricsIn).join(' ');
    const ours = [...metricTable(monitoringPage).keys()].filter((name) => !name.endsWith('*'));
    expect(ours.length).toBeGreaterThan(15);
    expect(ours.filter((name) => !asked.includes(name))).toEqual([]);
  });

  it('have names of their own', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(2);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });
});
