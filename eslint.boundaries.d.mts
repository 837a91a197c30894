import type { Linter } from 'eslint';

export interface Tree {
  readonly libs: readonly string[];
  /** The folders of each app's `src`, by the app's name. */
  readonly apps: Readonly<Record<string, readonly string[]>>;
}
export function readTree(root?: string): Tree;
export function boundariesOf(tree: Tree): Linter.Config[];
export const boundaries: Linter.Config[];
