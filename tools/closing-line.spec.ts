import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const SUITE = `
  import { describeWithKafka } from '${join(ROOT, 'libs/testing/src/infrastructure/describe-with.ts')}';
  describeWithKafka('the bus', () => {
    it('keeps the order', () => {});
    it('loses nothing', () => {});
  });
  it('adds', () => {});
`;

/** Jest as a process of its own, on one spec that needs Kafka, with or without it. */
function runJest(folder: string, env: Readonly<Record<string, string | undefined>>) {
  const config = {
    rootDir: folder,
    reporters: ['default', join(ROOT, 'tools/closing-line.reporter.mjs')],
    extensionsToTreatAsEsm: ['.ts'],
    transform: {
      '\\.ts$': [
        join(ROOT, 'node_modules/@swc/jest'),
        { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'es6' }, swcrc: false },
      ],
    },
  };
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...flags, jest, '--config', JSON.stringify(config)],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CI: '', KAFKA_BROKERS: '', TEST_SIZE: 'long', ...env },
    },
  );
  return { lines: stdout.trimEnd().split('\n'), stderr, status };
}

describe('the end of a test run (OPS-17)', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fundrail-run-')));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'bus.spec.ts'), SUITE);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('lists the suites skipped without Kafka, and how to get it, before the figures', () => {
    const { lines, status } = runJest(folder, {});
    expect(status).toBe(0);
    expect(lines.filter(Boolean)).toEqual([
      'NOT RUN, because there is no Kafka here:',
      '  bus.spec.ts: the bus (2 tests)',
      'To run them: start Docker; or install Java 17 and Maven; or set KAFKA_BROKERS=host:port.',
      '1 passed, 0 failed, 2 skipped',
    ]);
  });

  it('prints nothing more when all of them ran', () => {
    const { lines, status } = runJest(folder, { KAFKA_BROKERS: '127.0.0.1:1' });
    expect([status, lines]).toEqual([0, ['3 passed, 0 failed']]);
  });

  it.each([
    ['with TEST_SIZE=short', { TEST_SIZE: 'short' }],
    ['by default', { TEST_SIZE: '' }],
  ])('says before the figures that a run was short, and what runs all: %s', (_when, size) => {
    const { lines } = runJest(folder, { KAFKA_BROKERS: '127.0.0.1:1', ...size });
    expect(lines).toEqual([
      expect.stringMatching(/^At the short size: .*`npm run test:long`, or CI=true, runs all of it\.$/),
      '3 passed, 0 failed',
    ]);
  });

  it('names the slowest files when there are more than ten', () => {
    const many = join(folder, 'many');
    mkdirSync(many);
    for (let file = 1; file <= 11; file += 1)
      writeFileSync(join(many, `${file}.spec.ts`), 'it("adds", () => {});');
    const { lines, status } = runJest(many, {});
    rmSync(many, { recursive: true });
    expect([status, lines.at(-1)]).toEqual([0, '11 passed, 0 failed']);
    const listed = lines.slice(1, -1).map((line) => line.replace(/^ *[\d.]+ s {2}/, ''));
    expect(listed[0]).toBe('The slowest of 11 files:');
    expect(listed.slice(1, -1)).toHaveLength(10);
    expect(new Set(listed.slice(1, -1)).size).toBe(10);
    expect(listed.at(-1)).toBe('in all');
  });

  it('is a failure with CI set, where nothing may be skipped', () => {
    const { lines, stderr, status } = runJest(folder, { CI: 'true' });
    expect(stderr).toContain('"the bus" needs Kafka, and there is none: start Docker');
    expect([status, lines]).toEqual([1, ['0 passed, 1 failed']]);
  });
});
