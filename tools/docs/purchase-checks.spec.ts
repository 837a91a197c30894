import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const numbersIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, number]) => Number(number));

/** Each runs on the standalone and on separate processes. */
const TESTS = [
  'verification/src/purchase-plan-terms.e2e.spec.ts',
  'verification/src/purchase-plans.e2e.spec.ts',
  'verification/src/crash/purchase-plans-due.e2e.spec.ts',
].map(read);

it('each acceptance check of purchase plans has an end-to-end test, on both stages', () => {
  const checks = numbersIn(read('docs/specification/purchase-plans.md'), /^\| (\d+) +\|/gm);
  expect(checks).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  const cited = new Set(TESTS.flatMap((text) => numbersIn(text, /check (\d+)/g)));
  expect(checks.filter((number) => !cited.has(number))).toEqual([]);
  for (const text of TESTS) expect(text).toMatch(/^describe(Products|WithKafka)\(/m);
});
