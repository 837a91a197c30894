import { ERRORS, istInstant, PAYMENT_FAILURE_CODES } from '@fundrail/contracts';
import { readFileSync } from 'node:fs';
import type { Policy } from './define-policy.ts';
import { describePolicy } from './describe-policy.ts';
import { nearestParameters, parametersAt } from './judge.ts';
import { POLICIES } from './policies.ts';

const ALL: readonly (readonly [string, Policy])[] = Object.entries(POLICIES);

describe('the table of policies', () => {
  it('has the names, dates and parameters of the golden file: a changed rule is a new version', () => {
    const golden = new URL('golden/policies.json', import.meta.url);
    const shown = ALL.map(([, { name, versions }]) => ({
      name,
      versions: versions.map(({ from, until, parameters }) => ({ from, until, parameters })),
    }));
    expect(shown).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  });

  it.each(ALL)('has %s under its name, with sources, and texts in two languages', (key, policy) => {
    const { name, refusal, source } = describePolicy(policy, '2026-12-21');
    expect(name).toBe(key);
    expect(source.length).toBeGreaterThan(0);
    if (refusal === null) return;
    expect([...Object.keys(ERRORS), ...PAYMENT_FAILURE_CODES]).toContain(refusal.code);
    expect(refusal.investor.en).toMatch(/^[A-Z][^{}]*\.$/);
    expect(refusal.investor.hi).toMatch(/^[^{}]*\p{Script=Devanagari}[^{}]*।$/u);
  });

  it('has peak hours and windows that make up the whole day', () => {
    const { peak, windows } = nearestParameters('autopay_windows', istInstant('2026-12-21'));
    const ends = [peak, windows].join(',').split(/[,-]/).sort();
    expect(ends.filter((time, at) => time !== ends[at % 2 === 0 ? at + 1 : at - 1])).toEqual([]);
  });

  it('does not guess a rule before its first version', () => {
    expect(() => parametersAt('nach_debit_days', istInstant('2021-07-31'))).toThrow(
      'no version on 2021-07-31',
    );
  });

  it('gives parameters without a question only where no override ends the rule (POL-11)', () => {
    expect(() => parametersAt('autopay_afa_limit', istInstant('2026-12-21'))).toThrow('use policyAt');
  });
});
