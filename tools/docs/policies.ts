import { describePolicy, POLICIES, type Policy } from '@fundrail/policies';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `Rules of regulators and of NPCI, each with its dates and its sources. \`GET /v2/policies\` returns them as they are in force on a day. Dates are business dates in India, both inclusive. Amounts are whole rupees.

How a source was seen: **text**, the text itself or a copy was read; **quoted**, sentences of it were quoted elsewhere; **secondary**, press and vendors only. Before you rely on a rule that was seen only in secondary sources, ask your acquirer or your counsel. A date or figure that is not right for you can be changed for your deployment ([policy-overrides.md](operations/policy-overrides.md)).

A refusal's error has the policy's name, its date, its sources and the words for the investor ([ERR-13](specification/errors.md)). Each policy's date and limit are crossed in \`libs/policies/src/policies.spec.ts\`, once with the policy, and once without it, where the test must fail.`;

/** `docs/policies.md`: every policy, the newest version's texts. */
export function policiesPage(): string {
  const all: readonly Policy[] = Object.values(POLICIES);
  return ['# Policies', GENERATED, INTRODUCTION, ...all.map(sectionOf)].join('\n\n');
}

function sectionOf(policy: Policy): string {
  const [first] = policy.versions;
  const { refusal } = describePolicy(policy, (policy.versions.at(-1) ?? first).from);
  const onlySecondary = policy.versions.every(({ source }) =>
    source.every(({ seen }) => seen === 'secondary'),
  );
  return [
    `## ${policy.name}`,
    policy.rule,
    ...(onlySecondary ? ['Only secondary sources were read.'] : []),
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
  ].join('\n\n');
}

function listOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `\`${name}\`: ${[value].flat().map(String).join(', ') || 'none'}`)
    .join('; ');
}
