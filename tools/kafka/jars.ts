import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OLDEST_JAVA = 17;

/** Jars that a pom names. */
interface Jars {
  readonly name: string;
  readonly pom: string;
  /** The pom's property `<name>.version`. */
  readonly version: string;
}

/** The jars of the pom at that URL, whose version is its property `<name>.version`. */
export function jarsOf(name: string, url: URL): Jars {
  const pom = fileURLToPath(url);
  const [, version = ''] = readFileSync(pom, 'utf8').split(new RegExp(`</?${name}\\.version>`));
  return { name, pom, version };
}

const KAFKA = jarsOf('kafka', new URL('./pom.xml', import.meta.url));

export const KAFKA_VERSION = KAFKA.version;

/** The Java that runs them: `JAVA_HOME`'s when it is set, else the one in the PATH. */
export function java(): string {
  const home = process.env['JAVA_HOME'];
  return home ? join(home, 'bin', 'java') : 'java';
}

/** A message for the user about what is missing to run Kafka, or other jars, without Docker; null when nothing is missing. */
export async function whatIsMissing(jars: Jars = KAFKA): Promise<string | null> {
  const version = await javaVersion();
  if (version === null) return `Java ${OLDEST_JAVA} or newer is needed, and there is no java in the PATH`;
  if (version < OLDEST_JAVA) return `Java ${OLDEST_JAVA} or newer is needed, and this one is ${version}`;
  if (existsSync(jarsDirectory(jars)) || (await answers('mvn', ['--version']))) return null;
  return 'Maven is needed for the first start, and there is no mvn in the PATH';
}

/** The folder with the jars, by default the broker's. Maven fetches them once for all checkouts of the user; that takes a minute. */
export async function fetchJars(jars: Jars = KAFKA): Promise<string> {
  const directory = jarsDirectory(jars);
  if (existsSync(directory)) return directory;
  const parent = join(directory, '..');
  await mkdir(parent, { recursive: true });
  // Under another name until it is complete, so that no broker starts from a partial folder.
  const fresh = await mkdtemp(join(parent, 'fetching-'));
  try {
    await copyJars(jars, fresh);
    await rename(fresh, directory).catch((error: unknown) => {
      // Another process was faster: use its folder.
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return directory;
}

async function copyJars({ name, pom }: Jars, directory: string): Promise<void> {
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${directory}`];
  try {
    await run('mvn', ['-q', '-B', '-ntp', '--strict-checksums', '-f', pom, ...goal]);
  } catch (error) {
    // Maven writes errors to its standard output.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`Maven could not fetch the jars of ${name}:\n${stdout}${stderr}`.trim(), {
      cause: error,
    });
  }
}

/** Of this very pom: a version that it changes is fetched again. */
function jarsDirectory({ name, version, pom }: Jars): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const digest = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  return join(cache, 'fundrail', `${name}-${version}-${digest}`);
}

async function javaVersion(): Promise<number | null> {
  try {
    const { stderr } = await run(java(), ['-version']);
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  } catch {
    return null;
  }
}

async function answers(program: string, args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}
