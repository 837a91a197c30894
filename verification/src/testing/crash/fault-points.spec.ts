import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CRASHES, TESTED_ELSEWHERE } from './fault-points.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const CALL = /aultPoint\(\s*'([\w.]+)'/g;
/** The request of an outside call, which passes two points under its name. */
const REQUEST = /\bname:\s*'([\w.]+)',\s*call\b/g;

/** The name of every fault point in the code. */
function pointsInCode(): string[] {
  const files = globSync(['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'], { cwd: ROOT });
  const texts = files
    .filter((file) => !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  const named = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  const ofRequests = named(REQUEST).flatMap((name) => [`${name}.before_call`, `${name}.called`]);
  return [...new Set([...named(CALL), ...ofRequests])].sort();
}

describe('the fault points of the code', () => {
  const walked = new Set(CRASHES.map(({ fault }) => fault.point));
  const points = pointsInCode();

  it('are found', () => {
    expect(points).toEqual(
      expect.arrayContaining(['payments.swept', 'inbox.committed', 'webhook.sent', 'orders.submit.called']),
    );
  });

  it.each(points)('%s has a test that dies there', (point) => {
    const elsewhere = Object.entries(TESTED_ELSEWHERE).find(([name]) => name === point);
    if (!elsewhere) {
      expect([...walked]).toContain(point);
      return;
    }
    const text = readFileSync(path.join(ROOT, 'verification/src', elsewhere[1]), 'utf8');
    expect(text).toContain(`'${point}'`);
  });

  it('all still exist: no walk is for a point that is not in the code', () => {
    const named = [...walked].filter((point) => !point.startsWith('due.handled.'));
    expect(named.filter((point) => !points.includes(point))).toEqual([]);
  });
});
