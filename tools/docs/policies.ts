import { describePolicy, POLICIES, SANDBOX_CHOICES, type Policy, type PolicyName } from '@fundrail/policies';
import { GENERATED, table } from './markdown.ts';
import { POLICY_TESTS, REGISTRY_SPEC } from './policy-tests.ts';

const INTRODUCTION = `Rules of regulators and of NPCI, each with its dates and its sources. \`GET /v2/policies\` returns them as they are in force on a day. Dates are business dates in India, both inclusive. Amounts are whole rupees.

How a source was seen: **text**, the text itself or a copy was read; **quoted**, sentences of it were quoted elsewhere; **secondary**, press and vendors only. Before you rely on a rule that was seen only in secondary sources, ask your acquirer or your counsel. A date or figure that is not right for you can be changed for your deployment ([policy-overrides.md](operations/policy-overrides.md)).

A refusal's error has the policy's name, its date, its sources and the words for the investor ([ERR-13](specification/errors.md)). Each policy's days and limits are crossed in \`${REGISTRY_SPEC}\`, in tests whose titles begin with its name. The same tests run without the policy, with each of its days moved by one, and with each of its parameters changed, and must fail. "Tests" names those that show it where it is applied; files of services are below \`apps\`.`;

const WATCHED = `## Watched

What may change a rule, and is none yet:

- The draft of SEBI of 20 May 2026 on payments by third parties (payroll, commission, donation). No final circular was seen.
- The end of the exemption of iOS and mobile web from the end of collect requests.
- A master circular of SEBI under the Mutual Funds Regulations 2026, which replace those of 1996 since 1 April 2026.
- Whether the first debit after a registration without money needs a PIN once more (RBI, E-mandate Framework 2026). Ask your acquirer.`;

/** `docs/policies.md`: every policy, the newest version's texts. */
export function policiesPage(): string {
  const all: readonly (readonly [string, Policy])[] = Object.entries(POLICIES);
  const sections = all.map(([name, policy]) => sectionOf(name as PolicyName, policy));
  return ['# Policies', GENERATED, INTRODUCTION, ...sections, WATCHED].join('\n\n');
}

function sectionOf(name: PolicyName, policy: Policy): string {
  const [first] = policy.versions;
  const { refusal } = describePolicy(policy, (policy.versions.at(-1) ?? first).from);
  const onlySecondary = policy.versions.filter(({ source }) =>
    source.every(({ seen }) => seen === 'secondary'),
  );
  const days = onlySecondary.map(({ from }) => from).join(', ');
  const of = onlySecondary.length === policy.versions.length ? '' : ` for the version from ${days}`;
  const sandbox = SANDBOX_CHOICES[name];
  return [
    `## ${policy.name}`,
    policy.rule,
    ...(onlySecondary.length > 0 ? [`Only secondary sources were read${of}.`] : []),
    table(
      ['From', 'Until', 'Parameters', 'Sources'],
      policy.versions.map(({ from, until, parameters, source }) => [
        from,
        until ?? 'no end known',
        listOf(parameters),
        source
          .map(({ title, number, date, seen }) => [title, number, date, seen].filter(Boolean).join(', '))
          .join('; '),
      ]),
    ),
    `Applies to: ${policy.applies_to.join('; ')}.`,
    policy.tenant === null ? 'A tenant has no choice.' : `A tenant's choice: ${listOf(policy.tenant)}.`,
    ...(sandbox ? [`In the sandbox a tenant begins with the choice ${listOf(sandbox)}.`] : []),
    ...(refusal
      ? [
          table(
            ['Answer', 'Text'],
            [
              [[refusal.status, `\`${refusal.code}\``].filter(Boolean).join(' '), refusal.message],
              ['Investor, English', refusal.investor.en],
              ['Investor, Hindi', refusal.investor.hi],
            ],
          ),
        ]
      : ['It refuses no request.']),
    testsOf(name),
  ].join('\n\n');
}

function testsOf(name: PolicyName): string {
  const named = POLICY_TESTS[name].map(({ file, title }) => `\`${file}\` (“${title}”)`);
  return `Tests: ${[`\`${REGISTRY_SPEC}\` (“${name}: …”)`, ...named].join('; ')}.`;
}

function listOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `\`${name}\`: ${[value].flat().map(String).join(', ') || 'none'}`)
    .join('; ');
}
