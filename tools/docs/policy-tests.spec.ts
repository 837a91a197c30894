import { missingPolicyTests, POLICY_TESTS, REGISTRY_SPEC } from './policy-tests.ts';
import { citingTexts } from './repository-texts.ts';

describe('the tests that docs/policies.md names', () => {
  const texts = citingTexts();

  it('are there', () => {
    expect(missingPolicyTests(texts)).toEqual([]);
  });

  it('are missed when their file is gone, or their title has changed', () => {
    const [{ file, title }] = POLICY_TESTS.redemption_payout;
    const missed = `${file} has no test “${title}”, which docs/policies.md names`;
    expect(missingPolicyTests(texts.filter(({ path }) => !path.endsWith(file)))).toEqual([missed]);
    const renamed = texts.map((one) =>
      one.path.endsWith(file) ? { ...one, text: one.text.replaceAll(title, 'x') } : one,
    );
    expect(missingPolicyTests(renamed)).toEqual([missed]);
  });

  it('have a case for each policy among those of the registry', () => {
    const changed = texts.map((one) =>
      one.path === REGISTRY_SPEC ? { ...one, text: one.text.replace("'autopay_windows'", "'x'") } : one,
    );
    expect(missingPolicyTests(changed)).toEqual([`${REGISTRY_SPEC} has no case of autopay_windows`]);
  });
});
