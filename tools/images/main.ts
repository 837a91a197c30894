// `npm run images -- pin`: asks the registry of each image of docker/images.env for its digest and writes that behind the tag, there
// and in the manifests of k8s/.
// `npm run images -- build-args`: the images of docker/Dockerfile as options of `docker build`.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readImages, referenceOf, withDigests, withPinned } from './images-file.ts';

const FILE = new URL('../../docker/images.env', import.meta.url);
const DOCKERFILE = new URL('../../docker/Dockerfile', import.meta.url);
const MANIFESTS = fileURLToPath(new URL('../../k8s/**/*.yaml', import.meta.url));
const LIMIT_MS = 60_000;

/** The digest of the list of all platforms, or why there is none. Docker knows how to reach the registry. */
function digestOf(name: string): { readonly digest: string } | { readonly fault: string } {
  const args = ['buildx', 'imagetools', 'inspect', name, '--format', '{{.Manifest.Digest}}'];
  const { stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8', timeout: LIMIT_MS });
  const [digest] = /sha256:[0-9a-f]{64}/.exec(stdout) ?? [];
  return digest === undefined
    ? { fault: error?.message ?? stderr.trim().split('\n').at(-1) ?? '' }
    : { digest };
}

/** Writes all digests or none: a partial file would look complete. */
function pin(): number {
  const text = readFileSync(FILE, 'utf8');
  const asked = readImages(text).map(({ variable, name }) => ({ variable, name, ...digestOf(name) }));
  const faults = asked.filter((one) => 'fault' in one);
  for (const { name, fault } of faults) console.error(`${name}: ${fault}`);
  if (faults.length > 0) {
    console.error(
      `no digest of ${faults.length} of ${asked.length} images: docker/images.env is not changed`,
    );
    return 1;
  }
  const digests = asked.flatMap((one) => ('digest' in one ? [[one.variable, one.digest] as const] : []));
  const pinned = withDigests(text, new Map(digests));
  writeFileSync(FILE, pinned);
  for (const path of globSync(MANIFESTS)) rewrite(path, (before) => withPinned(before, readImages(pinned)));
  console.log(`${digests.length} digests are in docker/images.env`);
  return 0;
}

function rewrite(path: string, change: (before: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after !== before) writeFileSync(path, after);
}

function buildArgs(): number {
  const dockerfile = readFileSync(DOCKERFILE, 'utf8');
  const images = readImages(readFileSync(FILE, 'utf8')).filter(({ variable }) =>
    dockerfile.includes(`ARG ${variable}=`),
  );
  const options = images.map((image) => `--build-arg ${image.variable}=${referenceOf(image)}`);
  console.log(options.join(' '));
  return 0;
}

const COMMANDS: Readonly<Record<string, () => number>> = { pin, 'build-args': buildArgs };
const command = COMMANDS[process.argv[2] ?? ''];
if (!command) console.error(`usage: npm run images -- ${Object.keys(COMMANDS).join(' | ')}`);
process.exitCode = command?.() ?? 1;
