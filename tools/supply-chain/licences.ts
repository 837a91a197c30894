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

/** Additional licences for packages that only build and test: they are used here and not distributed. */
const TOOLS = [...SHIPPED, 'MPL-2.0', 'CC-BY-3.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'WTFPL'];

/** Packages whose manifest has no SPDX name (npm's old form, which the lockfile leaves out, or prose); read in their LICENSE files. */
const READ_IN_LICENSE: Readonly<Record<string, string>> = {
  '@cspell/dict-en-common-misspellings': 'CC-BY-SA-4.0',
  buildcheck: 'MIT',
  busboy: 'MIT',
  'cpu-features': 'MIT',
  ssh2: 'MIT',
  streamsearch: 'MIT',
};

/** The package's licence as an SPDX expression; null when neither its manifest nor the list above has one. */
function licenceOf({ name, license }: LockedPackage): string | null {
  return READ_IN_LICENSE[name] ?? license;
}

/** Whether the licence allows the package's use here. A licence that SPDX does not know is not allowed. */
export function isAllowed(found: LockedPackage): boolean {
  const licence = licenceOf(found);
  return licence !== null && isIn(licence, found.isTool ? TOOLS : SHIPPED);
}

function isIn(licence: string, allowed: readonly string[]): boolean {
  try {
    return satisfies(licence, [...allowed]);
  } catch {
    return false;
  }
}

/** Names in the list above whose package is gone, or states its licence itself. */
export function needlessNames(packages: readonly LockedPackage[]): string[] {
  const needed = new Set(
    packages.filter(({ license }) => license === null || !isIn(license, TOOLS)).map(({ name }) => name),
  );
  return Object.keys(READ_IN_LICENSE).filter((name) => !needed.has(name));
}
