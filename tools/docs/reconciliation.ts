import { RECONCILIATION_KINDS } from '@fundrail/contracts';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `Several parties know the same purchase: orders, payments, mandates, the order gateway, the payment providers, and the receivers of events. Reconciliation asks each of them, and reports where two disagree. It runs every night at 02:30 IST in every service, and on demand with

\`\`\`sh
npm run reconcile                          # of npm start, or of the databases in DATABASE_URL or <NAME>_DATABASE_URL
npm run reconcile -- --days 7              # what changed in this many days; default 3
npm run reconcile -- --last                # what the last run found
npm run reconcile -- --json                # lines of JSON, also on a terminal
docker compose -f docker/compose.yaml exec payments node main.js reconcile
kubectl -n fundrail exec deployment/payments -c service -- node main.js reconcile
\`\`\`

The command starts the run in the running services through a row in their databases, and waits. A service that does not run compares nothing. On a terminal the command shows the services that it waits for, and then the findings of each. Elsewhere, and with \`--json\`, it prints a line of JSON for each finding and one for each service. It exits with 0 (all agrees, or was repaired), 1 (a finding needs an operator) or 2 (something could not be compared: \`undone\` states what, and why). The nightly run logs the same counts, as a warning when a finding is open. \`/metrics\` has them too, and [two alerts](operations/alerts.md#fundrailreconciliationopen) fire when a finding stays open or when no run has compared everything for 26 hours.`;

const HOW = `## How a finding is made

Each service reads its own rows, and the lists of the outside systems that it calls, page by page. A difference is checked again after a minute (\`--settle\`, in seconds), because rows change meanwhile; only a difference that remains is a finding. If a new request may repair it, the request is made once, and the finding is checked a last time a minute later. So a finding's \`state\` is

- \`repaired\`: both sides agreed at the last check;
- \`open\`: an operator must act. The \`facts\` are the states of both sides.

A finding contains objects, states, amounts and references, and no personal data. The findings of the last two runs are kept.`;

/** `docs/reconciliation.md`: how the parties are compared, and every kind of finding. */
export function reconciliationPage(): string {
  return [
    '# Reconciliation',
    GENERATED,
    INTRODUCTION,
    HOW,
    '## Kinds of findings',
    table(
      ['Kind', 'Meaning', 'Automatic', 'Operator'],
      Object.entries(RECONCILIATION_KINDS).map(([kind, { means, automatic, operator }]) => [
        `\`${kind}\``,
        means,
        automatic,
        operator,
      ]),
    ),
    'After a database is restored from a backup: the drill in [operations](operations/restore.md).',
  ].join('\n\n');
}
