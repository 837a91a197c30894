/** An image of docker/images.env. */
interface PinnedImage {
  /** The variable, as `NODE_IMAGE`. */
  readonly variable: string;
  /** Repository and tag, as `node:24.21.0-bookworm-slim`. */
  readonly name: string;
  /** `sha256:…`; null until it is requested. */
  readonly digest: string | null;
}

const LINE = /^(\w+)=([^@\s]+:[^@\s]+?)(?:@(sha256:[0-9a-f]{64}))?$/;

/** Reads the file. Throws on a line that is neither a comment nor an image with a tag. */
export function readImages(text: string): readonly PinnedImage[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, variable, name, digest = null] = LINE.exec(line) ?? [];
      if (variable === undefined || name === undefined) throw new Error(`no image with a tag: ${line}`);
      return { variable, name, digest };
    });
}

/** The file with these digests in place of those that it has. What is not named keeps its own; comments stay. */
export function withDigests(text: string, digests: ReadonlyMap<string, string>): string {
  return text
    .split('\n')
    .map((line) => {
      const [, variable = '', name = ''] = LINE.exec(line) ?? [];
      const digest = digests.get(variable);
      return digest === undefined ? line : `${variable}=${name}@${digest}`;
    })
    .join('\n');
}

/** The text of manifests with the image of each repository as the file has it, its digest included. Other repositories stay. */
export function withPinned(manifests: string, images: readonly PinnedImage[]): string {
  return manifests.replace(/^(\s*(?:- )?image: )(\S+)$/gm, (line, key: string, image: string) => {
    const pinned = images.find(({ name }) => repositoryOf(name) === repositoryOf(image));
    return pinned ? key + referenceOf(pinned) : line;
  });
}

/** As a manifest names it: `postgres:18.4@sha256:…`. */
export function referenceOf({ name, digest }: PinnedImage): string {
  return digest === null ? name : `${name}@${digest}`;
}

function repositoryOf(image: string): string {
  return image.replace(/(?::[^:/]*)?(?:@.*)?$/, '');
}
