import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const run = promisify(execFile);

/** The root of the repository, which every image is built from. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Builds a stage of docker/Dockerfile as a user would. Returns the name of the image. */
export async function buildImage(target: string): Promise<string> {
  const name = `fundrail/${target}:test`;
  await run('docker', ['build', '-f', 'docker/Dockerfile', '--target', target, '-t', name, '.'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', DOCKER_BUILDKIT: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return name;
}
