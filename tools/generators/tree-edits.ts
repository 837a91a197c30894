import type { Tree } from '@nx/devkit';

/** A package.json. */
export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Dependencies in the order in which npm writes them. */
export function sorted(dependencies: Manifest['dependencies']): Manifest['dependencies'] {
  return Object.fromEntries(Object.entries(dependencies).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The text of a file. Throws when it is not there. */
export function textOf(tree: Tree, path: string): string {
  const text = tree.read(path, 'utf8');
  if (text === null) throw new Error(`${path} is not there`);
  return text;
}

/** Writes `text` after the one place where `anchor` stands. Throws when it stands nowhere or twice: the file is no longer what this generator edits. */
export function insertAfter(tree: Tree, path: string, anchor: string, text: string): void {
  replaceOnce(tree, path, anchor, `${anchor}${text}`);
}

/** Writes `text` before the one place where `anchor` stands. Throws as `insertAfter` does. */
export function insertBefore(tree: Tree, path: string, anchor: string, text: string): void {
  replaceOnce(tree, path, anchor, `${text}${anchor}`);
}

/** Replaces the one place where `from` stands. Throws as `insertAfter` does. */
export function replaceOnce(tree: Tree, path: string, from: string, to: string): void {
  tree.write(path, replacedOnce(textOf(tree, path), from, to, path));
}

/** Replaces the one place where `from` stands in the block that begins with the line `begin` and ends where its indentation does. Throws as `insertAfter` does. */
export function replaceInBlock(
  tree: Tree,
  path: string,
  begin: string,
  [from, to]: readonly [string, string],
): void {
  const text = textOf(tree, path);
  const start = text.indexOf(`\n${begin}\n`);
  const indent = /^ */.exec(begin)?.[0] ?? '';
  const end = text.indexOf(`\n${indent}}`, start + 1);
  if (start < 0 || end < 0) throw new Error(`${path} has no block "${begin}"`);
  const block = replacedOnce(text.slice(start, end), from, to, path);
  tree.write(path, text.slice(0, start) + block + text.slice(end));
}

function replacedOnce(text: string, from: string, to: string, path: string): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${path} has "${from}" ${more.length > 0 ? 'more than once' : 'nowhere'}`);
  return before + to + after;
}
