import { readFileSync } from 'node:fs';
import { z } from 'zod';

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      link: z.boolean().optional(),
      /** The path of a package that is installed in place of the requested one. */
      name: z.string().optional(),
      version: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

const FOLDER = 'node_modules/';

/** A package of others that `npm ci` installs. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Where it is installed, from the root of the repository. */
  readonly path: string;
  /** An SPDX expression, when its manifest has one. */
  readonly license: string | null;
  /** It builds or tests, or is an optional peer that only tests bring, and is not shipped. */
  readonly isTool: boolean;
  /** It may be missing: it is for another platform, or for convenience. */
  readonly isOptional: boolean;
  /** The hash that npm checks it against is in the lockfile. */
  readonly isPinned: boolean;
  /** It comes from npm's configured registry; false: from its own address. */
  readonly isFromRegistry: boolean;
  /** It has an install script. */
  readonly hasInstallScript: boolean;
}

/** What the text of a `package-lock.json` (version 3) installs from elsewhere; without the repository's own workspaces. */
export function lockedPackages(text: string): LockedPackage[] {
  const { packages } = lockfile.parse(JSON.parse(text));
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes(FOLDER) && link !== true)
    .map(
      ([
        path,
        { name, version, dev, devOptional, optional, license, integrity, resolved, hasInstallScript },
      ]) => ({
        name: name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length),
        version: version ?? '',
        path,
        license: license ?? null,
        isTool: dev === true || devOptional === true,
        isOptional: optional === true,
        isPinned: integrity !== undefined,
        isFromRegistry: resolved === undefined,
        hasInstallScript: hasInstallScript === true,
      }),
    );
}

const manifest = z.object({
  allowScripts: z.record(z.string(), z.boolean()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.output<typeof manifest>;

/** The parts of a `package.json` that define what is installed, and which install scripts may run. */
export function readManifest(file: string | URL): Manifest {
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
}
