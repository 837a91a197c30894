import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { lockedPackages } from './locked-packages.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const component = z.looseObject({
  /** `name@version`. */
  'bom-ref': z.string(),
  purl: z.string(),
  hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
  licenses: z.array(z.looseObject({})).optional(),
});
const document = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/** A CycloneDX document: its components with their hashes, licences and purls. */
type BillOfMaterials = z.output<typeof document>;

/**
 * Lists every package that runs in the product, as npm has installed them; without those that only build and test. Not with npm's
 * own `--omit=dev`: it also leaves out what both the product and its tests need.
 */
export function billOfMaterials(): BillOfMaterials {
  const npm = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const text = execFileSync('npm', npm, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const { components, dependencies, ...bill } = document.parse(JSON.parse(text));
  // npm names the root by its folder.
  bill.metadata.component.name = 'fundrail';
  const runs = runningPackages();
  const isOurs = (ref: string) =>
    ref.startsWith('fundrail@') || /^@fundrail\/(?!(testing|verification|generators)@)/.test(ref);
  const isIn = (ref: string) => isOurs(ref) || runs.has(ref);
  return {
    ...bill,
    components: components.filter((found) => isIn(found['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => isIn(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isIn) })),
  };
}

function runningPackages(): ReadonlySet<string> {
  const locked = lockedPackages(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return new Set(locked.filter(({ isTool }) => !isTool).map(({ name, version }) => `${name}@${version}`));
}
