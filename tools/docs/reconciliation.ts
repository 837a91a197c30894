import { RECONCILIATION_KINDS } from '@fundrail/contracts';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `Several parties know the same purchase: orders, payments, mandates, the order gateway, the payment providers, and whoever was told by an event. Reconciliation asks each of them, and tells where two do not agree. It runs every night at 02:30 IST in every service, and at once by

\`\`\`sh
npm run reconcile                          # of npm start, or of the databases in DATABASE_URL or <NAME>_DATABASE_URL
npm run reconcile -- --days 7              # what was changed in so many days; 3 when left out
npm run reconcile -- --last                # what the last run has found
docker compose -f docker/compose.yaml exec payments node main.js reconcile
kubectl -n fundrail exec deployment/payments -c service -- node main.js reconcile
\`\`\`

The command asks the running services by a row in their databases, and waits: nothing is compared where a service does not run. It prints a line of JSON for each finding and one for each service, and ends with 0 (all agrees, or was mended), 1 (something is left for a person) or 2 (something could not be compared: \`undone\` says what, and why). The night's run logs the same counts, as a warning when something is left; \`/metrics\` tells them too, and [two alerts](operations.md#fundrailreconciliationopen) fire when something stays open or when no run has compared everything for 26 hours.`;

const HOW = `## How a finding comes to be

Each service looks through its own rows, and through the lists of the outside systems that it deals with, a page at a time. What does not agree is looked at again after a minute (\`--settle\`, in seconds), because rows change meanwhile; only what is still so is a finding. What asking again may mend is then asked again, once, and looked at a last time a minute later. So a finding's \`state\` is

- \`repaired\`: it agreed at the last look;
- \`open\`: for a person. The \`facts\` are what both sides said.

A finding names objects, states, amounts and references. Nothing of a person is in it. The findings of the last two runs are kept.`;

/** `docs/reconciliation.md`: how the parties are compared, and every kind of disagreement. */
export function reconciliationPage(): string {
  return [
    '# Reconciliation',
    GENERATED,
    INTRODUCTION,
    HOW,
    '## Kinds of findings',
    table(
      ['Kind', 'Means', 'By itself', 'A person'],
      Object.entries(RECONCILIATION_KINDS).map(([kind, { means, byItself, person }]) => [
        `\`${kind}\``,
        means,
        byItself,
        person,
      ]),
    ),
    'After a database was put back from a backup: the drill in [operations](operations.md#restoring-one-service).',
  ].join('\n\n');
}
