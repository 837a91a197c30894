import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Looks for what the other file leaves, and leaves it as well. */
const SUITE = `
  import { loads, Logger, spied } from 'counted';
  import { state } from './state.js';
  it('finds nothing of another file, and the same package', () => {
    expect(state.uses).toBe(0);
    expect(globalThis.trace).toBeUndefined();
    expect(process.env.TRACE).toBeUndefined();
    expect(process.listenerCount('SIGUSR2')).toBe(0);
    expect(process.listenerCount('SIGWINCH')).toBe(1);
    expect(Logger.staticInstanceRef).toBe('default');
    expect(spied.call()).toBe('real');
    expect(JSON.parse('1')).toBe(1);
    expect(setTimeout(() => undefined, 0)).toHaveProperty('unref');
    expect(loads()).toBe(1);
    expect(new Error('x')).toBeInstanceOf(Error);
  });
  afterAll(() => {
    state.uses += 1;
    globalThis.trace = true;
    process.env.TRACE = 'left';
    process.on('SIGUSR2', () => undefined);
    Logger.overrideLogger(false);
    import.meta.jest.spyOn(spied, 'call').mockReturnValue('spied');
    import.meta.jest.spyOn(JSON, 'parse').mockReturnValue('spied');
    import.meta.jest.useFakeTimers();
  });
`;
const PACKAGE = `
  globalThis.countedLoads = (globalThis.countedLoads ?? 0) + 1;
  exports.loads = () => globalThis.countedLoads;
  process.on('SIGWINCH', () => undefined);
  exports.Logger = class {
    static staticInstanceRef = 'default';
    static overrideLogger(logger) {
      this.staticInstanceRef = logger;
    }
  };
  exports.spied = { call: () => 'real' };
`;

describe('the realm of a worker', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fundrail-realm-')));
    mkdirSync(join(folder, 'node_modules/counted'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/counted/index.js'), PACKAGE);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'state.js'), 'export const state = { uses: 0 };');
    for (const name of ['one', 'two']) writeFileSync(join(folder, `${name}.spec.js`), SUITE);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('shares packages between suites, and nothing that a suite has changed', () => {
    const config = {
      rootDir: folder,
      transform: {},
      testEnvironment: join(ROOT, 'tools/jest/worker-realm.environment.mjs'),
      runtime: join(ROOT, 'tools/jest/shared-packages.runtime.mjs'),
    };
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
    const { stderr, status } = spawnSync(
      process.execPath,
      [...flags, jest, '--runInBand', '--config', JSON.stringify(config)],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stderr).toContain('Tests:       2 passed, 2 total');
    expect(status).toBe(0);
  });
});
