import { faultsOf } from './limits.ts';
import {
  columnsOf,
  importCircles,
  linesOf,
  longParameterLists,
  reachableFrom,
  unnamedExports,
} from './measures.ts';
import { sourceFile, type Modules, type SourceFile } from './source-files.ts';

const modules = (files: readonly SourceFile[], packages: Readonly<Record<string, string>> = {}): Modules => ({
  paths: new Set(files.map(({ path }) => path)),
  packages: new Map(Object.entries(packages)),
});
const file = (path: string, ...lines: readonly string[]) => sourceFile(path, `${lines.join('\n')}\n`);

describe('the measures of the shape', () => {
  it('counts the lines of the product and of stages, and no specs, tools or benches', () => {
    const files = [
      file('apps/orders/src/a.ts', '1;', '2;', '3;'),
      file('apps/orders/src/a.spec.ts', '1;'),
      file('apps/orders/src/testing/stage.ts', '1;', '2;'),
      file('libs/testing/src/clock.ts', '1;'),
      file('tools/x.ts', '1;'),
    ];
    expect(linesOf(files).map(({ count }) => count)).toEqual([3, 3]);
  });

  it('follows imports within the service, types and exports included', () => {
    const files = [
      file('apps/orders/src/a.controller.ts', `import type { B } from './b.ts';`),
      file('apps/orders/src/b.ts', `export { C } from './c/c.ts';`),
      file(
        'apps/orders/src/c/c.ts',
        `import { Kit } from '@fundrail/service-kit/db';`,
        `await import('./d.ts');`,
      ),
      file('apps/orders/src/c/d.ts', ''),
      file('apps/orders/src/e.ts', `import { B } from './b.ts';`),
      file('libs/service-kit/src/db.ts', ''),
    ];
    const known = modules(files, { '@fundrail/service-kit/db': 'libs/service-kit/src/db.ts' });
    expect(reachableFrom(['apps/orders/src/a.controller.ts'], files, known)).toEqual([
      'apps/orders/src/a.controller.ts',
      'apps/orders/src/b.ts',
      'apps/orders/src/c/c.ts',
      'apps/orders/src/c/d.ts',
    ]);
    expect(() => reachableFrom(['apps/orders/src/gone.ts'], files, known)).toThrow(
      'no such file: apps/orders/src/gone.ts',
    );
    expect(() => reachableFrom(['apps/orders/src/a.controller.ts'], files, modules(files))).toThrow(
      'apps/orders/src/c/c.ts imports @fundrail/service-kit/db, which is not there',
    );
  });

  it('counts the declared columns of a table', () => {
    const files = [
      file('apps/a/src/x.table.ts', `export const OTHERS = defineTable('others', { a: text() });`),
      file(
        'apps/a/src/y.table.ts',
        `export const ROWS = defineTable('payments', { id: text().primary(), b: text().nullable() });`,
      ),
    ];
    expect(columnsOf('payments', files)).toEqual(['id', 'b']);
    expect(() => columnsOf('refunds', files)).toThrow('no declaration of the table refunds');
  });

  it('finds constructors over six parameters and functions over four', () => {
    const files = [
      file(
        'apps/a/src/x.ts',
        'class A { constructor(a, b, c, d, e, f, g) {} m(a, b, c, d) {} }',
        'const five = (a, b, c, d, e) => a;',
        'function four(a, b, c, d) {}',
        'interface Port { ask(a, b, c, d, e): void }',
      ),
      file('apps/a/src/x.spec.ts', 'function five(a, b, c, d, e) {}'),
    ];
    expect(longParameterLists(files).map(({ places }) => places)).toEqual([
      ['apps/a/src/x.ts:1'],
      ['apps/a/src/x.ts:2'],
    ]);
  });

  it('finds files that import each other in a loop, over other files and packages too', () => {
    const files = [
      file('libs/a/src/index.ts', `export * from './x.ts';`),
      file('libs/a/src/x.ts', `import type { Y } from '@fundrail/b';`),
      file('libs/b/src/index.ts', `import { X } from '@fundrail/a';`),
      file('libs/b/src/alone.ts', `import { X } from '@fundrail/a';`),
    ];
    const known = modules(files, {
      '@fundrail/a': 'libs/a/src/index.ts',
      '@fundrail/b': 'libs/b/src/index.ts',
    });
    expect(importCircles(files, known).places).toEqual([
      'libs/a/src/index.ts <-> libs/a/src/x.ts <-> libs/b/src/index.ts',
    ]);
  });

  it('finds exports that no other file imports', () => {
    const files = [
      file(
        'apps/a/src/x.ts',
        'export const USED = 1;',
        'export type Alone = typeof USED;',
        'export function read() {}',
        'export class Lazy {}',
        'export default function byItsFile() {}',
        'const own = 1;',
      ),
      file('apps/a/src/index.ts', `export * from './x.ts';`, 'const read = 1;'),
      file(
        'apps/a/src/x.spec.ts',
        `import { USED as used } from './x.ts';`,
        `const { Lazy } = await import('./x.ts');`,
      ),
    ];
    expect(unnamedExports(files).places).toEqual(['apps/a/src/x.ts: Alone', 'apps/a/src/x.ts: read']);
  });
});

describe('the limits of the shape', () => {
  const limits = { circles: { limit: 2, wanted: 0 } };

  it.each([
    [2, []],
    [1, ['circles: 1, so lower the limit of 2 in tools/shape/limits.ts']],
    [3, ['circles: 3, and the limit is 2. `npm run shape -- "circles"` lists the places.']],
  ])('for %i of two: %j', (count, faults) => {
    expect(faultsOf([{ name: 'circles', count, places: [] }], limits)).toEqual(faults);
  });

  it('refuse a measure that has none', () => {
    expect(faultsOf([{ name: 'new', count: 0, places: [] }], limits)).toEqual([
      '"circles" has a limit and is not measured',
      '"new" has no limit in tools/shape/limits.ts',
    ]);
  });

  it('leave lines some slack', () => {
    const measure = { name: 'lines of the product', count: 1, places: [] };
    expect(faultsOf([measure], { [measure.name]: { limit: 2, wanted: 1 } })).toEqual([]);
  });
});
