import { readdirSync, readFileSync } from 'node:fs';
import type { TextFile } from './specification.ts';

const ROOT = new URL('../../', import.meta.url);
/** The folders where rules are cited, besides the pages at the top. */
const FOLDERS = ['apps', 'bench', 'docker', 'docs', 'k8s', 'libs', 'tools', 'verification'];
const TEXTS = /\.(?:[cm]?[jt]s|md|sql|ya?ml|conf|css|html|json)$/;
const NOT_OURS = new Set(['node_modules', 'dist', '.nx', '.fundrail', 'coverage', 'golden', 'schemas']);
const SPECIFICATION = 'docs/specification/';
/** Written by the command that reads these files, so an old version proves nothing. */
const WRITTEN = `${SPECIFICATION}untested.md`;
/** Cites rules that no page has, on purpose. */
const OWN_SPEC = 'tools/docs/specification.spec.ts';

/** The pages of the specification that define rules, by name. */
export function specificationPages(): TextFile[] {
  return textsOf(SPECIFICATION).filter(({ path }) => path !== WRITTEN && !path.endsWith('/README.md'));
}

/** Every text of the repository that may cite a rule. */
export function citingTexts(): TextFile[] {
  const top = readdirSync(ROOT)
    .filter((name) => name.endsWith('.md'))
    .map(read);
  return [...top, ...FOLDERS.flatMap(textsOf)].filter(({ path }) => path !== WRITTEN && path !== OWN_SPEC);
}

/** Specs, and what only specs use. */
export function isTest({ path }: TextFile): boolean {
  return path.endsWith('.spec.ts') || path.includes('/testing/');
}

function textsOf(folder: string): TextFile[] {
  const within = folder.endsWith('/') ? folder : `${folder}/`;
  return readdirSync(new URL(within, ROOT), { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      if (NOT_OURS.has(entry.name)) return [];
      if (entry.isDirectory()) return textsOf(`${within}${entry.name}/`);
      return TEXTS.test(entry.name) ? [read(`${within}${entry.name}`)] : [];
    });
}

function read(path: string): TextFile {
  return { path, text: readFileSync(new URL(path, ROOT), 'utf8') };
}
