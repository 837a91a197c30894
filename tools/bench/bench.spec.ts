import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BENCHES } from '../../bench/benches.ts';
import { findFault } from '../../bench/smallest-fault.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('the run of all benchmarks at their smallest size', () => {
  it('has each folder of bench/ that holds a benchmark', () => {
    const folders = globSync('bench/*/*.bench.ts', { cwd: ROOT }).map((file) => file.split('/')[1]);
    expect(Object.keys(BENCHES).sort()).toEqual(folders.sort());
  });

  it('is part of .ci/run, before the tests, whose line is the last one', () => {
    const commands = readFileSync(`${ROOT}.ci/run`, 'utf8').trim().split('\n');
    expect(commands).toContain('npm run --silent bench -- all --smallest');
    expect(commands.at(-1)).toBe('npm test');
  });

  it('is described in bench/README.md, which names the page of each benchmark', () => {
    const page = readFileSync(`${ROOT}bench/README.md`, 'utf8');
    expect(page).toContain('`npm run bench -- all --smallest`');
    expect(
      Object.keys(BENCHES).filter((name) => !page.includes(`| [\`${name}\`](${name}/README.md)`)),
    ).toEqual([]);
  });
});

describe('the output of a benchmark', () => {
  const fields = ['rate_ps', 'limited'];

  it.each([
    { output: 'round 1\n{"rate_ps":12.5,"limited":{"most":3,"each":[1,2]}}\n', fault: null },
    { output: '{"rate_ps":0,"limited":{}}', fault: null },
    { output: '{"rate_ps":12.5}', fault: 'it has no limited' },
    { output: '{"rate_ps":null,"limited":{"most":null}}', fault: 'it has no rate_ps, limited' },
    { output: '{"rate_ps":12.5,"limited":{"each":[1,null]}}', fault: 'it has no limited' },
    { output: '{"rate_ps":12.5,"limited":{}}\nbye', fault: 'its last line is not JSON' },
    { output: '', fault: 'its last line is not JSON' },
    { output: '3', fault: 'its last line is not an object of JSON' },
  ])('has a fault or none: $output', ({ output, fault }) => {
    expect(findFault(output, fields)).toBe(fault);
  });
});
