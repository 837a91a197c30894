import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readImages, withDigests, withPinned } from './images-file.ts';

const read = (path: string) => readFileSync(new URL(`../../docker/${path}`, import.meta.url), 'utf8');
const DIGEST = `sha256:${'0a'.repeat(32)}`;

describe('docker/images.env', () => {
  const images = readImages(read('images.env'));

  it('has an exact version of each image that Dockerfile and compose name', () => {
    const named = [
      ...[...read('Dockerfile').matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)],
      ...[...read('compose.yaml').matchAll(/image: \$\{(\w+_IMAGE):-([^}]+)\}/g)],
    ].map(([, variable = '', branch = '']) => ({ variable, branch }));
    expect(named.map(({ variable }) => variable).sort()).toEqual(
      images.map(({ variable }) => variable).sort(),
    );
    for (const { name } of images) expect(name).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$/);
    for (const { variable, branch } of named) {
      const exact = images.find((image) => image.variable === variable)?.name ?? '';
      const [repository, tag = ''] = branch.split(':');
      expect(exact.split(':')[0]).toBe(repository);
      // A branch by its number: the exact version is one of it.
      if (/^v?\d/.test(tag)) expect(exact).toContain(`:${tag.split('-')[0] ?? ''}`);
    }
  });

  it('leaves no image of compose to a name outside of it', () => {
    const others = [...read('compose.yaml').matchAll(/^ +image: (.*)$/gm)].map(([, image]) => image);
    expect(others.filter((image) => !/^(?:fundrail\/|\$\{\w+_IMAGE:-)/.test(image ?? ''))).toEqual([]);
  });

  it('has every image of the Kubernetes manifests that is not ours, as they name it', () => {
    const files = globSync(fileURLToPath(new URL('../../k8s/**/*.yaml', import.meta.url)));
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    const names = texts.flatMap((text) =>
      [...text.matchAll(/\bimage: ([^\s}]+)/g)].map(([, image = '']) => image),
    );
    const known = images.map(({ name, digest }) => (digest === null ? name : `${name}@${digest}`));
    expect(names.filter((name) => !name.startsWith('fundrail/') && !known.includes(name))).toEqual([]);
    expect(names).toContain(known.find((name) => name.startsWith('postgres:')));
  });

  it('gives manifests its tag and digest of a repository, and leaves others', () => {
    const images = readImages(`A_IMAGE=a/b:1.2@${DIGEST}\nC_IMAGE=c:3.4\n`);
    const text = '  - image: a/b:1\n    image: c:3\n    image: r.example:5000/c:3\n    image: a/bc:1\n';
    const pinned = withPinned(text, images);
    expect(pinned).toBe(
      `  - image: a/b:1.2@${DIGEST}\n    image: c:3.4\n    image: r.example:5000/c:3\n    image: a/bc:1\n`,
    );
    expect(withPinned(pinned, images)).toBe(pinned);
  });

  it('takes digests behind its tags, again too, and keeps all else', () => {
    const text = '# why\nNODE_IMAGE=node:24.1.0\n\nOTHER_IMAGE=a/b:1.2\n';
    const pinned = withDigests(text, new Map([['NODE_IMAGE', DIGEST]]));
    expect(pinned).toBe(`# why\nNODE_IMAGE=node:24.1.0@${DIGEST}\n\nOTHER_IMAGE=a/b:1.2\n`);
    expect(withDigests(pinned, new Map([['NODE_IMAGE', DIGEST]]))).toBe(pinned);
    expect(readImages(pinned)).toEqual([
      { variable: 'NODE_IMAGE', name: 'node:24.1.0', digest: DIGEST },
      { variable: 'OTHER_IMAGE', name: 'a/b:1.2', digest: null },
    ]);
  });

  it.each(['NODE_IMAGE=node', 'NODE_IMAGE=node:24@sha256:12', 'node:24'])('refuses %s', (line) => {
    expect(() => readImages(line)).toThrow(`no image with a tag: ${line}`);
  });
});
