import { ChildService, type ChildOptions, type Exit, type FaultSwitch } from '@fundrail/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiClient } from './api-client.ts';

const MAIN = fileURLToPath(new URL('../../../apps/standalone/dist/main.js', import.meta.url));
/** As in the script `start`: a small young generation, a heap that grows by less between two collections, freed memory goes back (bench/memory/README.md). */
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=40'];
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072' };
const READY = /^fundrail is ready on (\S+)$/m;

/** Variables of a test run that a fresh start must not inherit. */
const UNSET = Object.fromEntries(
  ['DATABASE_URL', 'EVENT_BUS', 'KAFKA_BROKERS', 'PUBLIC_BASE_URL', 'LOG_LEVEL', 'HOST'].map((name) => [
    name,
    undefined,
  ]),
);

interface StandaloneOptions {
  readonly dataDir: string;
  /** Another build than that of this repository. */
  readonly main?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** For crash tests. */
  readonly faults?: FaultSwitch;
}

/** A folder for one test's product. */
export function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'fundrail-e2e-'));
}

export function removeDataDir(dataDir: string): Promise<void> {
  return rm(dataDir, { recursive: true, force: true });
}

function childOptions({ dataDir, main = MAIN, env = {}, faults }: StandaloneOptions): ChildOptions {
  return {
    main,
    flags: FLAGS,
    ready: READY,
    ...(faults && { faults }),
    // Suites send requests as fast as they can; a suite about rate limits switches them on.
    env: { ...UNSET, ...ALLOCATOR, PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', ...env },
  };
}

/** `npm start` as a separate process of the built product. */
export class StandaloneProcess {
  private constructor(readonly child: ChildService) {}

  static async start(options: StandaloneOptions): Promise<StandaloneProcess> {
    return new StandaloneProcess(await ChildService.start(childOptions(options)));
  }

  /** Does not wait until it serves, for tests that may end it before. */
  static spawn(options: StandaloneOptions): StandaloneProcess {
    return new StandaloneProcess(ChildService.spawn(childOptions(options)));
  }

  /** Its address; empty until it prints that it is ready. */
  get url(): string {
    return READY.exec(this.child.output)?.[1] ?? '';
  }

  /** For a start that must fail: returns its exit and its output. */
  static async startToFail(options: StandaloneOptions): Promise<Exit & { readonly output: string }> {
    const child = ChildService.spawn(childOptions(options));
    const exit = await child.exited;
    return { ...exit, output: child.output };
  }

  /** A client of the seeded tenant. */
  client(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, { tenant: 'demo', id: 'demo', secret: 'demo-secret' });
  }

  /** The seeded operator. */
  operator(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, { tenant: 'demo', id: 'admin', secret: 'admin-secret' });
  }

  stop(): Promise<Exit> {
    return this.child.end('SIGTERM');
  }

  kill(): Promise<Exit> {
    return this.child.kill();
  }
}
