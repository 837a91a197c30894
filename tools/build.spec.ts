import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

describe('a build', () => {
  let tree: string;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'fundrail-build-'));
    for (const name of ['.swcrc', 'tools/build.mjs', 'tools/joined-packages.mjs', 'tools/joined-sources.mjs'])
      cpSync(join(ROOT, name), join(tree, name));
    mkdirSync(join(tree, 'node_modules'));
    for (const name of ['@swc', 'rolldown'])
      symlinkSync(join(ROOT, 'node_modules', name), join(tree, 'node_modules', name));
    write('package.json', '{ "type": "module" }');
    enterable('libs/one', 'index.ts', 'inner/two.ts');
    enterable('apps/three', 'index.ts');
    write('libs/one/src/index.ts', "export { two } from './inner/two.ts';\nexport const one = 1;\n");
    write('libs/one/src/inner/two.ts', 'export const two: number = 2;\n');
    write('libs/one/src/inner/two.spec.ts', 'export {};\n');
    write('apps/three/src/assets/page.css', 'a {}\n');
  });
  afterEach(() => {
    rmSync(tree, { recursive: true, force: true });
  });

  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  };
  /** Makes it a package that others enter by these sources. */
  const enterable = (folder: string, ...sources: readonly string[]) => {
    const exports = sources.map((source) => [`./${source}`, { '@fundrail/source': `./src/${source}` }]);
    write(`${folder}/package.json`, JSON.stringify({ type: 'module', exports: Object.fromEntries(exports) }));
  };
  const start = (...args: readonly string[]) =>
    spawn(process.execPath, ['tools/build.mjs', ...args], { cwd: tree, stdio: 'inherit' });
  const build = async (...args: readonly string[]) => {
    expect(await once(start(...args), 'exit')).toEqual([0, null]);
  };
  const filesIn = (folder: string) =>
    readdirSync(join(tree, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      // Each joined package has it.
      .filter((name) => !name.startsWith('rolldown-runtime'))
      .sort();
  const changedAt = (file: string) => statSync(join(tree, file)).mtimeMs;

  it('has each source but specs as JavaScript with its map, and each asset', async () => {
    await build();
    expect(filesIn('libs/one/dist')).toEqual(['index.js', 'index.js.map', 'two.js', 'two.js.map']);
    expect(filesIn('apps/three/dist')).toEqual(['page.css']);
    expect(await import(join(tree, 'libs/one/dist/index.js'))).toMatchObject({ two: 2 });
  });

  it('joins what a package is not entered by, and its files find their neighbours as before', async () => {
    write('libs/one/src/inner/two.ts', "export const two = new URL('page.css', import.meta.url).href;\n");
    write('libs/one/src/tools/main.ts', "import { two } from '../inner/two.ts';\nexport const used = two;\n");
    enterable('libs/one', 'index.ts');
    await build();
    const { two } = (await import(join(tree, 'libs/one/dist/index.js'))) as { two: string };
    expect(two).toBe(pathToFileURL(join(tree, 'libs/one/dist/inner/page.css')).href);
    expect(await import(join(tree, 'libs/one/dist/tools/main.js'))).toMatchObject({ used: two });
    expect(existsSync(join(tree, 'libs/one/dist/inner/two.js'))).toBe(false);
    const maps = filesIn('libs/one/dist').filter((name) => name.endsWith('.map'));
    const sources = maps.flatMap((name) => {
      const folder = name === 'main.js.map' ? 'libs/one/dist/tools' : 'libs/one/dist';
      const map = JSON.parse(readFileSync(join(tree, folder, name), 'utf8')) as { sources: string[] };
      return map.sources.map((source) => join(tree, folder, source));
    });
    expect(sources).toContain(join(tree, 'libs/one/src/inner/two.ts'));
  });

  it('leaves a file alone that did not change, and removes one without a source', async () => {
    await build();
    const before = changedAt('libs/one/dist/index.js');
    write('libs/one/src/inner/two.ts', 'export const two: number = 3;\n');
    rmSync(join(tree, 'apps/three/src/assets'), { recursive: true });
    await build();
    expect(changedAt('libs/one/dist/index.js')).toBe(before);
    expect(readFileSync(join(tree, 'libs/one/dist/inner/two.js'), 'utf8')).toContain('two = 3');
    expect(filesIn('apps/three/dist')).toEqual([]);
  });

  describe('of code that imports packages from npm', () => {
    const install = (folder: string, version: string) => {
      write(
        `${folder}/node_modules/joint/package.json`,
        '{ "name": "joint", "type": "module", "exports": "./index.js" }',
      );
      write(
        `${folder}/node_modules/joint/index.js`,
        "export { part as one, part as two } from './part.js';\n",
      );
      write(`${folder}/node_modules/joint/part.js`, `export const part = { version: '${version}' };\n`);
    };
    beforeEach(() => {
      write('package-lock.json', '{}');
      write('libs/one/src/index.ts', "import { one } from 'joint';\nexport { one };\n");
      write('apps/three/src/index.ts', "import { two } from 'joint';\nexport { two };\n");
    });
    const imported = async (file: string) => (await import(join(tree, file))) as Record<string, unknown>;

    const versionJoined = () =>
      /version: ["'](\w+)/.exec(readFileSync(join(tree, 'node_modules/.packages/joint.mjs'), 'utf8'))?.[1];

    it('joins them, and a process has each of them once', async () => {
      install('.', 'joined');
      await build();
      rmSync(join(tree, 'node_modules/joint'), { recursive: true });
      const { one } = await imported('libs/one/dist/index.js');
      expect(one).toEqual({ version: 'joined' });
      expect((await imported('apps/three/dist/index.js'))['two']).toBe(one);
    });

    it('joins them again only when the lockfile changes', async () => {
      install('.', 'first');
      await build();
      install('.', 'second');
      await build();
      expect(versionJoined()).toBe('first');
      write('package-lock.json', '{ "packages": {} }');
      await build();
      expect(versionJoined()).toBe('second');
    });

    it('leaves the imports as they are when a package is not installed', async () => {
      await build();
      expect(readFileSync(join(tree, 'libs/one/dist/index.js'), 'utf8')).toMatch(/from ["']joint["']/);
    });

    it('joins nothing for a benchmark', async () => {
      install('.', 'joined');
      write('bench/plain/src/index.ts', "export { one } from 'joint';\n");
      await build('bench/plain');
      expect(readFileSync(join(tree, 'bench/plain/dist/index.js'), 'utf8')).toContain("from 'joint'");
      expect(existsSync(join(tree, 'node_modules/.packages'))).toBe(false);
    });

    it('fails when two packages have different versions of one', async () => {
      install('.', 'first');
      install('apps/three', 'second');
      expect(await once(start(), 'exit')).toEqual([1, null]);
    });
  });

  it('of one package leaves the others alone', async () => {
    await build('libs/one');
    expect(filesIn('libs/one/dist')).toHaveLength(4);
    expect(existsSync(join(tree, 'apps/three/dist'))).toBe(false);
  });

  it('lets a process start from the files at any time meanwhile', async () => {
    await build();
    for (let number = 0; number < 100; number++)
      write(`libs/one/src/more/${number}.ts`, 'export const a = 1;\n');
    write('libs/one/src/index.ts', 'export const two = 2;\n');
    const running = start();
    const ended = once(running, 'exit');
    const files = ['libs/one/dist/index.js', 'libs/one/dist/inner/two.js', 'apps/three/dist/assets/page.css'];
    const seen = new Set<string>();
    while (running.exitCode === null) {
      for (const file of files) seen.add(`${file}: ${existsSync(join(tree, file)) ? 'there' : 'missing'}`);
      const text = readFileSync(join(tree, files[0]!), 'utf8');
      expect(text).toMatch(/two(.|\n)*sourceMappingURL=index\.js\.map\n$/);
      await setImmediate();
    }
    expect(await ended).toEqual([0, null]);
    expect([...seen].sort()).toEqual(files.map((file) => `${file}: there`).sort());
    expect(readFileSync(join(tree, files[0]!), 'utf8')).toContain('two = 2');
  });
});
