import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyOfTheTree } from './tree-copy.ts';
import { layerOf } from './layers.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 300_000;
const NX = join(ROOT, 'node_modules/nx/dist/bin/nx.js');
/** No process stays, and none is started for each plugin: that would be two thirds of the work of a call. */
const ALONE = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', CI: 'true' };

/** A copy of the sources in which a type check does nothing: what is tried is which of them run. Builds stay as they are. */
function copyWithoutTypeCheck(): string {
  const copy = copyOfTheTree();
  const tsc = join(copy, 'node_modules/.bin/tsc');
  rmSync(tsc);
  writeFileSync(tsc, '#!/bin/sh\n', { mode: 0o755 });
  return copy;
}

describe('nx', () => {
  let copy: string;
  beforeEach(() => {
    copy = copyWithoutTypeCheck();
  });
  afterEach(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  function run(command: string, args: readonly string[]) {
    const env = { ...process.env, ...ALONE, NX_TUI: 'false', NO_COLOR: '1' };
    return spawnSync(command, args, { cwd: copy, env, encoding: 'utf8' });
  }

  /** Which tasks were run and not taken from the cache; null when one failed. */
  function nx(...args: readonly string[]): readonly string[] | null {
    const { status, stdout } = run(process.execPath, [NX, ...args, '--output-style=static']);
    const ran = [...stdout.matchAll(/^> nx run (\S+)(.*)$/gm)].filter(
      ([, , state = '']) => state.trim() === '',
    );
    return status === 0 ? ran.map(([, task = '']) => task).sort() : null;
  }

  const change = (file: string, text: string) => {
    appendFileSync(join(copy, file), text);
  };

  it(
    'builds a package with all that it is made of, and again after a change of a library',
    () => {
      const build = ['build', '@fundrail/orders'];
      const all = nx(...build);
      expect(all).toEqual(expect.arrayContaining(['@fundrail/contracts:build', '@fundrail/orders:build']));
      change('libs/contracts/README.md', 'More of it.\n');
      expect(nx(...build)).toEqual([]);
      change('libs/contracts/src/index.ts', 'export const ONE_MORE = 1;\n');
      expect(nx(...build)).toEqual(all);
      change('libs/contracts/src/index.ts', 'export const =;\n');
      expect(nx(...build)).toBeNull();
    },
    LIMIT_MS,
  );

  it(
    'checks what depends on a changed library again, specs included, and the whole tree',
    () => {
      const check = ['run-many', '-t', 'typecheck', '-p', '@fundrail/orders', 'fundrail'];
      const both = ['@fundrail/orders:typecheck', 'fundrail:typecheck'];
      expect(nx(...check)).toEqual(both);
      change('README.md', 'More of it.\n');
      change('apps/orders/README.md', 'More of it.\n');
      expect(nx(...check)).toEqual([]);
      // The specs of orders use it; its manifest does not name it.
      change('libs/testing/src/index.ts', 'export const ONE_MORE = 1;\n');
      expect(nx(...check)).toEqual(both);
      change('libs/messaging/src/index.ts', 'export const ONE_MORE = 1;\n');
      expect(nx(...check)).toEqual(both);
    },
    LIMIT_MS,
  );

  it(
    'knows what a change affects: the packages that are made of it, and no others',
    () => {
      const git = (...args: readonly string[]) => {
        const identity = ['-c', 'user.name=spec', '-c', 'user.email=spec@example.com'];
        expect(run('git', [...identity, ...args]).status).toBe(0);
      };
      git('init', '--quiet', '--initial-branch=main');
      git('add', '.');
      git('commit', '--quiet', '--message=before');
      change('apps/orders/src/index.ts', 'export const ONE_MORE = 1;\n');
      const affected = nx('affected', '-t', 'typecheck', '--exclude', 'fundrail');
      expect(affected).toEqual(
        ['orders', 'standalone', 'verification'].map((name) => `@fundrail/${name}:typecheck`),
      );
    },
    LIMIT_MS,
  );
});

describe('the projects that nx shows', () => {
  const graph = graphOf();

  it('has each package with its layer as its tag, and the targets that its files ask for', () => {
    const folders = globSync('{apps/*,libs/*,verification}/package.json', { cwd: ROOT }).map((file) =>
      dirname(file),
    );
    const shown = Object.values(graph.nodes).map(({ data }) => data);
    expect(shown.map(({ root }) => root).sort()).toEqual(['.', 'tools/generators', ...folders].sort());
    for (const folder of folders) {
      const { tags, targets } = shown.find(({ root }) => root === folder)!;
      expect([folder, tags]).toEqual([folder, expect.arrayContaining([`layer:${layerOf(folder)}`])]);
      const specs = globSync('src/**/*.spec.ts', { cwd: join(ROOT, folder) });
      const has = (level: string) => specs.some((file) => file.endsWith(`.${level}.spec.ts`));
      const isRun = existsSync(join(ROOT, folder, 'src/main.ts'));
      expect([folder, Object.keys(targets).sort()]).toEqual([
        folder,
        [
          'build',
          ...(isRun ? ['docker'] : []),
          'lint',
          ...(isRun ? ['serve'] : []),
          ...(has('e2e') ? ['test:e2e'] : []),
          ...(has('int') ? ['test:int'] : []),
          'test:unit',
          'typecheck',
        ],
      ]);
    }
  });

  it('draws what each package is made of', () => {
    const madeOf = (name: string) => graph.dependencies[name]!.map(({ target }) => target).sort();
    expect(madeOf('@fundrail/messaging')).toEqual(['@fundrail/contracts', '@fundrail/persistence']);
    expect(madeOf('@fundrail/standalone')).toEqual(
      expect.arrayContaining(['@fundrail/orders', '@fundrail/payments', '@fundrail/webhooks']),
    );
  });
});

interface Graph {
  readonly nodes: Readonly<Record<string, { readonly data: Project }>>;
  readonly dependencies: Readonly<Record<string, readonly { readonly target: string }[]>>;
}

interface Project {
  readonly root: string;
  readonly tags: readonly string[];
  readonly targets: Readonly<Record<string, object>>;
}

/** The graph of this tree, as `nx graph` writes it. */
function graphOf(): Graph {
  const folder = mkdtempSync(join(tmpdir(), 'fundrail-nx-graph-'));
  const file = join(folder, 'graph.json');
  spawnSync(process.execPath, [NX, 'graph', `--file=${file}`], {
    cwd: ROOT,
    env: { ...process.env, ...ALONE },
  });
  const { graph } = JSON.parse(readFileSync(file, 'utf8')) as { graph: Graph };
  rmSync(folder, { recursive: true });
  return graph;
}
