import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { Manifests } from './manifests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The overlays of k8s/overlays. */
export const OVERLAYS = ['local', 'production'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** Where there is neither of the two, Go builds the one that kubectl 1.34 contains; it keeps it in its cache. */
const KUSTOMIZE = 'sigs.k8s.io/kustomize/kustomize/v5@v5.7.1';

/** What can render an overlay: how to ask whether it is there and new enough, and how to render. */
const RENDERERS = [
  { version: ['kubectl', 'version', '--client'], render: ['kubectl', 'kustomize'] },
  { version: ['kustomize', 'version'], render: ['kustomize', 'build'] },
  { version: ['go', 'version'], render: ['go', 'run', KUSTOMIZE, 'build'] },
] as const;

/** Since kubectl 1.27. Before, `labels` and `replacements` cannot do what the overlays ask for. */
const NEW_ENOUGH = /Kustomize Version: v[5-9]|^v[5-9]|^go version/m;

/** Found and rendered once for each process: nothing of it changes meanwhile. */
let found: (typeof RENDERERS)[number] | undefined;
const rendered = new Map<Overlay, Manifests>();

/** The command that renders here, without the folder; null when there is none: neither kubectl, kustomize nor Go. */
export function findRenderer(): readonly string[] | null {
  found ??= RENDERERS.find(({ version: [command, ...args] }) =>
    // A command that is not there has the output null, which no version matches.
    NEW_ENOUGH.test(spawnSync(command, args, { encoding: 'utf8' }).stdout),
  );
  return found?.render ?? null;
}

/** What `kubectl apply -k` would apply. Throws what the renderer or the official schemas find wrong. */
export function render(folder: string): Manifests {
  const [command, ...args] = findRenderer() ?? ['kubectl', 'kustomize'];
  return Manifests.parse(
    execFileSync(command ?? 'kubectl', [...args, folder], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  );
}

/** Renders an overlay of ours, once for each process. */
export function renderOverlay(overlay: Overlay): Manifests {
  const known = rendered.get(overlay) ?? render(`k8s/overlays/${overlay}`);
  rendered.set(overlay, known);
  return known;
}

/** A copy of production with these components of k8s/components, and without those whose name begins with `-`. */
export function renderProduction(components: readonly string[]): Manifests {
  const folder = mkdtempSync(join(ROOT, 'k8s/overlays/.try-'));
  try {
    cpSync(join(ROOT, 'k8s/overlays/production'), folder, { recursive: true });
    const file = join(folder, 'kustomization.yaml');
    const own = parse(readFileSync(file, 'utf8')) as { readonly components: readonly string[] };
    const pathOf = (name: string) => `../../components/${name}`;
    const kept = own.components.filter((path) => !components.some((name) => path === pathOf(name.slice(1))));
    const added = components.filter((name) => !name.startsWith('-')).map(pathOf);
    writeFileSync(file, JSON.stringify({ ...own, components: [...kept, ...added] }));
    return render(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
