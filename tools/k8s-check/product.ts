import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cluster } from './cluster.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Of others; the cluster may not be able to pull them. */
const STORES = ['postgres:18', 'apache/kafka:4.3.1'];
/** What `kubectl rollout status` may take: images, migrations and start of everything at once on a small machine. */
const PATIENCE = '900s';

/** The Deployments of overlays/local. */
export const DEPLOYMENTS: readonly (ServiceName | 'edge')[] = ['edge', ...SERVICES];

/** The product of this working tree as images of one tag, and as manifests that name it. */
export class Product {
  readonly tag: string;
  readonly #isBuilt: boolean;
  /** A copy of k8s/ in which the tag is released. */
  readonly #manifests = mkdtempSync(join(tmpdir(), 'fundrail-k8s-'));

  constructor() {
    const given = process.env['K8S_CHECK_TAG'];
    this.#isBuilt = Boolean(given);
    this.tag = given || `check-${commit()}-${Date.now().toString(36)}`;
    cpSync(join(ROOT, 'k8s'), this.#manifests, { recursive: true });
    this.#write('overlays/local/release.yaml', /tag: .*/, `tag: ${this.tag}`);
    this.#write('demo/kustomization.yaml', /newTag: \w+/, `newTag: ${this.tag}`);
  }

  get #images(): { image: string; args: string[] }[] {
    const apps = SERVICES.map((app) => ({ image: this.image(app), args: ['--build-arg', `APP=${app}`] }));
    const targets = ['edge', 'standalone'] as const;
    return [...apps, ...targets.map((target) => ({ image: this.image(target), args: ['--target', target] }))];
  }

  image(app: string): string {
    return `fundrail/${app}:${this.tag}`;
  }

  /** Nothing, where `K8S_CHECK_TAG` names images that are there. */
  async build(): Promise<string> {
    if (this.#isBuilt) return 'they were given';
    for (const { image, args } of this.#images)
      await run('docker', ['build', '--quiet', '-f', 'docker/Dockerfile', ...args, '-t', image, '.'], {
        cwd: ROOT,
      });
    return `${this.#images.length}`;
  }

  async load(cluster: Cluster): Promise<void> {
    await cluster.load([...STORES, ...this.#images.map(({ image }) => image)]);
  }

  /** Applies overlays/local and waits until everything serves. */
  async deploy(cluster: Cluster): Promise<void> {
    await cluster.kubectl('apply', '-k', join(this.#manifests, 'overlays/local'));
    for (const name of ['postgres', 'kafka']) await rolledOut(cluster, `statefulset/${name}`);
    for (const name of DEPLOYMENTS) await rolledOut(cluster, `deployment/${name}`);
  }

  /** Lets the API server check overlays/production without a change (dry run). */
  async tryProduction(cluster: Cluster): Promise<void> {
    const folder = join(this.#manifests, 'overlays/production');
    await cluster.kubectl('apply', '-k', folder, '--dry-run=server', '--validate=strict');
  }

  async applyDemo(cluster: Cluster): Promise<void> {
    await cluster.kubectl('apply', '-k', join(this.#manifests, 'demo'));
  }

  async remove(): Promise<void> {
    rmSync(this.#manifests, { recursive: true });
    const images = this.#images.map(({ image }) => image);
    if (!this.#isBuilt) await run('docker', ['rmi', '--force', ...images]).catch(() => undefined);
  }

  #write(file: string, what: RegExp, by: string): void {
    const path = join(this.#manifests, file);
    const text = readFileSync(path, 'utf8');
    if (!what.test(text)) throw new Error(`k8s/${file} has no tag`);
    writeFileSync(path, text.replace(what, by));
  }
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short=9', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** Waits until a workload has all its replicas, new and ready. */
export async function rolledOut(cluster: Cluster, workload: string): Promise<void> {
  await cluster.kubectl('-n', 'fundrail', 'rollout', 'status', workload, '--timeout', PATIENCE);
}
