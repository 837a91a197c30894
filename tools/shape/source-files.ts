import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** One parsed file of the repository. Paths are from the root, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
}

const FOLDERS = '{apps/*,libs/*,verification}/src/**/*.ts';

/** Every source file of packages, tools and benches, specs included; the plain build of `bench/baseline` is left out. */
export function readSourceFiles(root: string): readonly SourceFile[] {
  return globSync([FOLDERS, '{tools,bench}/**/*.{ts,mjs}'], { cwd: root })
    .filter((path) => !path.includes('node_modules') && !path.startsWith('bench/baseline/'))
    .sort()
    .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')));
}

/** Parses one text; `setParentNodes`, because a rule looks at what a name stands in. */
export function sourceFile(path: string, text: string): SourceFile {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { path, lines, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

export const isSpec = ({ path }: SourceFile) => path.endsWith('.spec.ts');

/** Test stages, builders and fakes: what stands beside the product for its tests. */
export const isStage = (file: SourceFile) =>
  !isSpec(file) && (file.path.includes('/testing/') || file.path.startsWith('libs/testing/'));

/** What ships or is run by a maintainer: neither a spec nor a stage. */
export const isProduct = (file: SourceFile) => !isSpec(file) && !isStage(file);

/** What an import may name: files by their path, and packages of ours by their name and the exports of their manifests. */
export interface Modules {
  readonly paths: ReadonlySet<string>;
  readonly packages: ReadonlyMap<string, string>;
}

/** The modules of the repository. */
export function readModules(root: string, files: readonly SourceFile[]): Modules {
  const packages = globSync('{apps/*,libs/*,verification}/package.json', { cwd: root }).flatMap(
    (manifest) => {
      const { name, exports } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as Manifest;
      return Object.entries(exports).flatMap(([entry, { '@fundrail/source': source }]) =>
        entryFiles(join(root, dirname(manifest)), source).map(
          ([folder, file]) =>
            [join(name, entry.replace('*', folder)), join(dirname(manifest), file)] as const,
        ),
      );
    },
  );
  return { paths: new Set(files.map(({ path }) => path)), packages: new Map(packages) };
}

/** The files of an entry of `exports`: itself, or each file that its `*` stands for, with what stands there. */
function entryFiles(folder: string, source: string): (readonly [string, string])[] {
  if (!source.includes('*')) return [['', source]];
  const [before = '', after = ''] = source.slice('./'.length).split('*');
  return globSync(`${before}*${after}`, { cwd: folder }).map((file) => [
    file.slice(before.length, -after.length),
    file,
  ]);
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly '@fundrail/source': string }>>;
}

/**
 * The files that a file imports or exports from, types and `import()` included. What is installed from npm is left out. Throws when a
 * file or a package of ours is not there.
 */
export function importsOf(file: SourceFile, { paths, packages }: Modules): readonly string[] {
  const targets = specifiersOf(file).flatMap((name) => {
    const isOurs = name.startsWith('.') || name.startsWith('@fundrail/');
    const target = name.startsWith('.') ? normalize(join(dirname(file.path), name)) : packages.get(name);
    if (target !== undefined && paths.has(target)) return [target];
    if (isOurs && /\.m?ts$|^@/.test(name))
      throw new Error(`${file.path} imports ${name}, which is not there`);
    return [];
  });
  return [...new Set(targets)];
}

function specifiersOf({ tree }: SourceFile): readonly string[] {
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    const name =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined;
    if (name && ts.isStringLiteral(name)) found.push(name.text);
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}
