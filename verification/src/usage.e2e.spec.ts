import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A command that builds first, on a busy machine. */
const LIMIT_MS = 240_000;

const run = (command: string, option: string) =>
  spawnSync('npm', ['run', '--silent', command, '--', option], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });

describe.each([
  ...['demo', 'bench', 'events', 'keys', 'reconcile', 'chaos', 'schemathesis', 'k8s:check', 'kafka', 'sbom'],
])('npm run %s', (command) => {
  it(
    'with --help prints its usage and exits with 0',
    () => {
      const { status, stdout } = run(command, '--help');
      expect([status, stdout]).toEqual([0, expect.stringContaining(`npm run ${command}`)]);
    },
    LIMIT_MS,
  );

  it(
    'with an unknown option prints one line and exits with 2',
    () => {
      const { status, stderr, stdout } = run(command, '--nonsense');
      const lines = stderr.trim().split('\n');
      expect([status, lines.length, stdout]).toEqual([2, 1, '']);
      expect(stderr).toContain(`see npm run ${command} -- --help`);
    },
    LIMIT_MS,
  );
});

describe('npm start', () => {
  it.each(['--help', 'nonsense'])(
    'with %s prints one line that names its settings, and starts nothing',
    (argument) => {
      const args = ['start', '--silent', '--', argument];
      const { status, stderr, stdout } = spawnSync('npm', args, {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: LIMIT_MS,
      });
      expect([status, stderr.trim().split('\n').length, stdout]).toEqual([2, 1, '']);
      expect(stderr).toContain('docs/operations/npm-start.md');
    },
  );
});
