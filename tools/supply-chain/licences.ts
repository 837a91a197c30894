import satisfies from 'spdx-satisfies';
import type { LockedPackage } from './locked-packages.ts';

/** Licences (SPDX) of what is shipped: each lets the product be used, changed and passed on under Apache-2.0, with its notice kept. */
const SHIPPED = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
];

/** Besides, of what only builds and tests: it is used here, and passed on to nobody. */
const TOOLS = [...SHIPPED, 'MPL-2.0', 'CC-BY-3.0', 'CC-BY-4.0'];

/** Packages whose manifest says it in npm's old form, which the lockfile leaves out; read in their LICENSE files. */
const SAID_OTHERWISE: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  busboy: 'MIT',
  'cpu-features': 'MIT',
  ssh2: 'MIT',
  streamsearch: 'MIT',
};

/** The package's licence as an SPDX expression; null when nobody says one. */
export function licenceOf({ name, license }: LockedPackage): string | null {
  return license ?? SAID_OTHERWISE[name] ?? null;
}

/** Whether the package may be used for what it is used for. A licence that SPDX does not know is not allowed. */
export function isAllowed(found: LockedPackage): boolean {
  const licence = licenceOf(found);
  if (licence === null) return false;
  try {
    return satisfies(licence, found.isTool ? TOOLS : SHIPPED);
  } catch {
    return false;
  }
}

/** Names in the list above that no package needs any more. */
export function needlessWords(packages: readonly LockedPackage[]): string[] {
  const needed = new Set(packages.filter(({ license }) => license === null).map(({ name }) => name));
  return Object.keys(SAID_OTHERWISE).filter((name) => !needed.has(name));
}
