// Joins the packages from npm that the product imports into a few files, `node_modules/.packages`. One by one they are 2,300 files in
// a service, and to find, read and link them was half of the processor time of its start.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = 'node_modules/.packages';
const IMPORT = /^(?:import\s*|(?:import|export)\b[\w$\s{},*]*\bfrom\s*)["']([^"']+)["']/gm;
/**
 * Stay as they are. TypeORM finds `pg` by its name at run time, and a second copy of it would lack our parsers of types. Messaging changes
 * a class inside of kafkajs. OpenTelemetry is loaded only where traces are sent, and its API must be the one of prom-client.
 */
const APART = ['pg', 'kafkajs', '@opentelemetry'];
/** What Nest would load if we asked it to; only tests and benchmarks have them. */
const NOT_OURS = ['@nestjs/platform-express', 'class-validator', 'class-transformer'];

const isOf = (names, specifier) =>
  names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
const fileOf = (specifier) => `${specifier.replaceAll(/[@/]/g, '_')}.mjs`;
const isFromNpm = (specifier) => !/^(\.|node:|@fundrail\/)/.test(specifier);

/** Code for tests and benchmarks: its own packages are not joined. */
export const isOfProduct = (file) =>
  /^(apps|libs)\//.test(file) && !/^libs\/testing\/|\/testing\//.test(file);

/** Which packages these files of the product import: each specifier with the files, relative to the root, that have it. */
export function importsOf(files) {
  const found = new Map();
  for (const [file, code] of files)
    for (const [, specifier] of isOfProduct(file) ? code.matchAll(IMPORT) : [])
      if (isFromNpm(specifier) && !isOf(APART, specifier))
        found.set(specifier, [...(found.get(specifier) ?? []), file]);
  return found;
}

/** The code, with what is joined imported from there. Lines stay where they are. */
export function withJoined(code, file, joined) {
  return code.replaceAll(IMPORT, (statement, specifier) => {
    if (!joined.has(specifier)) return statement;
    const path = relative(dirname(file), join(FOLDER, fileOf(specifier))).replaceAll('\\', '/');
    return `${statement.slice(0, statement.lastIndexOf(specifier))}${path}${statement.at(-1)}`;
  });
}

/**
 * Joins them unless that is done already, and returns the specifiers that are joined. Without an installation of all of them, as where
 * an image is compiled, nothing is joined.
 */
export async function joinPackages(root, imports, put) {
  const folders = new Map();
  for (const [specifier, files] of imports) {
    const found = new Set(files.map((file) => installed(root, specifier, file)));
    if (found.has(null)) return new Set();
    if (found.size > 1) throw new Error(`two versions of ${specifier}: ${[...found].join(', ')}`);
    folders.set(specifier, join(root, files[0]));
  }
  if (folders.size === 0) return new Set();
  const state = join(root, FOLDER, 'state.json');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const before = existsSync(state) ? JSON.parse(readFileSync(state, 'utf8')) : {};
  const known = before.lock === lock ? before.specifiers : [];
  // A build of one package keeps what the others import.
  const specifiers = [...new Set([...known, ...folders.keys()])].sort();
  if (specifiers.length > known.length) {
    for (const name of known) if (!folders.has(name)) folders.set(name, before.importers[name]);
    const importers = Object.fromEntries(folders);
    await write(root, folders, put);
    put(state, Buffer.from(JSON.stringify({ lock, specifiers, importers })));
  }
  return new Set(specifiers);
}

/** The folder of the package that Node would find from there; null when it is not installed. */
function installed(root, specifier, file) {
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(specifier);
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(root, folder, 'node_modules', name);
    if (existsSync(path)) return path;
    if (folder === '.') return null;
  }
}

async function write(root, importers, put) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries([...importers.keys()].map((one) => [fileOf(one).slice(0, -4), `entry:${one}`])),
    platform: 'node',
    external: (id) => isOf([...APART, ...NOT_OURS], id),
    logLevel: 'silent',
    tsconfig: false,
    plugins: [entries(importers)],
  });
  // Classes keep their names, which Nest shows, and modules the order in which Node would evaluate them.
  const { output } = await bundle.generate({
    ...{ format: 'esm', keepNames: true, strictExecutionOrder: true },
    ...{ entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
  await bundle.close();
  const made = output.map(({ fileName, code, isEntry }) => ({
    path: join(root, FOLDER, fileName),
    code,
    isEntry,
  }));
  made.sort((one, other) => Number(one.isEntry) - Number(other.isEntry));
  for (const { path, code } of made) put(path, Buffer.from(code));
  const paths = new Set(made.map(({ path }) => path));
  for (const path of globSync(join(root, FOLDER, '*.mjs'))) if (!paths.has(path)) rmSync(path);
}

/** One module for each specifier, with the names that Node's own `import` finds in the package. */
function entries(importers) {
  const PREFIX = 'entry:';
  return {
    name: 'entries',
    resolveId: (id) => (id.startsWith(PREFIX) ? `${id}.mjs` : null),
    async load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const specifier = id.slice(PREFIX.length, -'.mjs'.length);
      const found = await this.resolve(specifier, importers.get(specifier), { skipSelf: true });
      if (!found) throw new Error(`${specifier} is not installed`);
      const names = Object.keys(await import(pathToFileURL(found.id).href)).filter(
        (name) => name !== 'module.exports',
      );
      const from = JSON.stringify(found.id);
      return names.length > 0 ? `export { ${names.join(', ')} } from ${from};` : `import ${from};`;
    },
  };
}
