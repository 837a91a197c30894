// Joins the files of a package of ours into one for each place from which it is entered, and the chunks that these share. One by one the
// product's are 1,455 files, and to find, read and link them was a quarter of the processor time of its start.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What its manifest exports, and its programs, below `src` and without the ending. */
function entriesOf(folder) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const sources = Object.values(exports).map((entry) => entry['@fundrail/source']);
  const files = globSync([...sources, 'src/**/main.ts'], { cwd: folder });
  return files.map((file) => file.replaceAll('\\', '/').replace(/^src\/(.*)\.ts$/, '$1'));
}

/** The compiled files `{ target, code, map }` of the package in `folder`, joined: what comes later in the list imports what comes before. */
export async function joinSources(folder, compiled) {
  const { rolldown } = await import('rolldown');
  const dist = join(folder, 'dist');
  const bundle = await rolldown({
    input: Object.fromEntries(entriesOf(folder).map((name) => [name, join(dist, `${name}.js`)])),
    ...{ platform: 'node', tsconfig: false, logLevel: 'silent' },
    plugins: [ownFiles(new Map(compiled.map((file) => [file.target, file])))],
  });
  const { output } = await bundle.generate({
    ...{ dir: dist, format: 'esm', keepNames: true, sourcemap: 'hidden' },
    ...{ entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  });
  await bundle.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  return chunks
    .sort((one, other) => Number(one.isEntry) - Number(other.isEntry))
    .map(({ fileName, code, map }) => {
      const target = join(dist, fileName);
      return { target, code: withOwnUrls(code, target), map: map?.toString() };
    });
}

function ownFiles(files) {
  return {
    name: 'own-files',
    resolveId(id, importer) {
      if (importer === undefined) return id;
      return id.startsWith('.') ? join(dirname(importer), id) : { id, external: true };
    },
    load(id) {
      const { code, map } = files.get(id);
      return { code: code.replaceAll('import.meta.url', `urlOf$(${JSON.stringify(id)})`), map };
    },
  };
}

/** A file finds others, such as pages, from its own place, which is not where it now stands. */
function withOwnUrls(code, target) {
  return code.replaceAll(/urlOf\$\(("[^"]*")\)/g, (_, id) => {
    const path = relative(dirname(target), JSON.parse(id)).replaceAll('\\', '/');
    return path === '' ? 'import.meta.url' : `new URL(${JSON.stringify(path)}, import.meta.url).href`;
  });
}
