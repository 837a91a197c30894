import ts from 'typescript';
import { importsOf, isProduct, isSpec, isStage, type Modules, type SourceFile } from './source-files.ts';

/** One row of `npm run shape`: what is counted, where it stands (longest list first read), and how many. */
export interface Measure {
  readonly name: string;
  readonly count: number;
  /** Where each of them is, for a reader who wants to have one fewer. Empty where the count is of lines. */
  readonly places: readonly string[];
}

const sumOfLines = (files: readonly SourceFile[]) => files.reduce((sum, { lines }) => sum + lines, 0);

/** Lines of the packages: what ships, and what stands beside it for tests. Specs, tools and benches are not counted. */
export function linesOf(files: readonly SourceFile[]): readonly Measure[] {
  const packages = files.filter(({ path }) => /^(apps|libs|verification)\//.test(path));
  return [
    { name: 'lines of the product', count: sumOfLines(packages.filter(isProduct)), places: [] },
    { name: 'lines of test stages', count: sumOfLines(packages.filter(isStage)), places: [] },
  ];
}

/** The files of its service that a reader can reach from these entries by following imports, types included. */
export function reachableFrom(
  entries: readonly string[],
  files: readonly SourceFile[],
  modules: Modules,
): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const folders = entries.map((path) => path.split('/').slice(0, 3).join('/'));
  const missing = entries.filter((path) => !byPath.has(path));
  if (missing.length > 0) throw new Error(`no such file: ${missing.join(', ')}`);
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (reached.has(path) || !file) continue;
    reached.add(path);
    waiting.push(
      ...importsOf(file, modules).filter((target) =>
        folders.some((folder) => target.startsWith(`${folder}/`)),
      ),
    );
  }
  return [...reached].sort();
}

/** The columns that `defineTable` declares for a table. */
export function columnsOf(table: string, files: readonly SourceFile[]): readonly string[] {
  const declared: ts.ObjectLiteralExpression[] = [];
  for (const { tree } of files)
    visit(tree, (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== 'defineTable') return;
      const [name, columns] = node.arguments;
      if (name?.getText() === `'${table}'` && columns && ts.isObjectLiteralExpression(columns))
        declared.push(columns);
    });
  if (!declared[0]) throw new Error(`no declaration of the table ${table}`);
  return declared[0].properties.map((column) => column.name?.getText() ?? '');
}

/** Constructors with more than six parameters, and functions with more than four. */
export function longParameterLists(files: readonly SourceFile[]): readonly Measure[] {
  const constructors: string[] = [];
  const functions: string[] = [];
  for (const file of files.filter(isProduct)) {
    visit(file.tree, (node) => {
      if (ts.isConstructorDeclaration(node) && node.parameters.length > 6)
        constructors.push(placeOf(node, file));
      else if (
        ts.isFunctionLike(node) &&
        !ts.isConstructorDeclaration(node) &&
        'body' in node &&
        node.parameters.length > 4
      )
        functions.push(placeOf(node, file));
    });
  }
  return [
    { name: 'constructors over 6 parameters', count: constructors.length, places: constructors },
    { name: 'functions over 4 parameters', count: functions.length, places: functions },
  ];
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    visit(child, look);
  });
}

function placeOf(node: ts.Node, { path, tree }: SourceFile): string {
  return `${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`;
}

/** Groups of files that import each other in a loop, types included (Tarjan's strongly connected components). */
export function importCircles(files: readonly SourceFile[], modules: Modules): Measure {
  const product = files.filter((file) => isProduct(file) || isStage(file));
  const paths = new Set(product.map(({ path }) => path));
  const edges = new Map(
    product.map((file) => [file.path, importsOf(file, modules).filter((path) => paths.has(path))]),
  );
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const connect = (path: string): void => {
    index.set(path, index.size);
    low.set(path, index.get(path) ?? 0);
    stack.push(path);
    for (const target of edges.get(path) ?? []) {
      if (!index.has(target)) connect(target);
      if (stack.includes(target))
        low.set(path, Math.min(low.get(path) ?? 0, low.get(target) ?? Number.POSITIVE_INFINITY));
    }
    if (low.get(path) !== index.get(path)) return;
    const members = stack.splice(stack.indexOf(path));
    if (members.length > 1) circles.push(members.sort());
  };
  for (const path of paths) if (!index.has(path)) connect(path);
  return {
    name: 'import circles',
    count: circles.length,
    places: circles.map((members) => members.join(' <-> ')),
  };
}

/**
 * Exported names that no other file imports by name, specs included; a re-export by `export *` is not an import. Default exports are left
 * out, because Jest and Nx load them by their file, and exports of specs, which only keep them from being unused. A name that two files export counts as imported for both.
 */
export function unnamedExports(files: readonly SourceFile[]): Measure {
  const imported = new Set<string>();
  for (const { tree } of files)
    visit(tree, (node) => {
      if (ts.isImportSpecifier(node)) imported.add((node.propertyName ?? node.name).text);
      // `import * as all`, and what `await import()` gives, are read as properties and by destructuring.
      if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name)) imported.add(node.name.text);
      if (ts.isBindingElement(node)) imported.add((node.propertyName ?? node.name).getText());
      if (ts.isQualifiedName(node)) imported.add(node.right.text);
      if (ts.isImportTypeNode(node) && node.qualifier) imported.add(node.qualifier.getText());
    });
  const places = files
    .filter((file) => file.path.endsWith('.ts') && !isSpec(file))
    .flatMap(({ path, tree }) =>
      tree.statements
        .filter((statement) =>
          ts.canHaveModifiers(statement) ? isNamedExport(ts.getModifiers(statement) ?? []) : false,
        )
        .flatMap(namesOf)
        .filter((name) => !imported.has(name))
        .map((name) => `${path}: ${name}`),
    );
  return { name: 'exports that no other file names', count: places.length, places };
}

function isNamedExport(modifiers: readonly ts.Modifier[]): boolean {
  const kinds = modifiers.map(({ kind }) => kind);
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement)
  )
    return statement.name ? [statement.name.text] : [];
  return [];
}
