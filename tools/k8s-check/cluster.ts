import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A real cluster of one node that stands beside the repository on some machines. */
const NEIGHBOUR = fileURLToPath(new URL('../../../shared/k8s/', import.meta.url));
const MIB = 1024 * 1024;

/** Objects as `kubectl get -o json` answers them, as far as the checks read them. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly containerStatuses?: readonly {
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state: {
        readonly running?: { readonly startedAt: string };
        readonly terminated?: { readonly startedAt: string };
      };
    }[];
    readonly initContainerStatuses?: readonly {
      readonly state: { readonly terminated?: { readonly exitCode: number; readonly finishedAt: string } };
    }[];
  };
}

/** A way into the cluster that stays open until it is closed. */
interface Tunnel {
  readonly port: number;
  close(): void;
}

/** A cluster that may be used for the check: `kubectl`, and how images get into it. */
export class Cluster {
  readonly name: string;
  /** Where the edge's node port is reached from this machine. */
  readonly edgeUrl: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #context: readonly string[];
  readonly #load: readonly string[];
  readonly #down: readonly string[] | null;

  private constructor(
    name: string,
    {
      env = {},
      context = [],
      load,
      down = null,
    }: {
      env?: NodeJS.ProcessEnv;
      context?: readonly string[];
      load: readonly string[];
      down?: readonly string[] | null;
    },
  ) {
    this.name = name;
    this.edgeUrl = process.env['K8S_CHECK_URL'] ?? 'http://127.0.0.1:30080';
    this.#env = { ...process.env, ...env };
    this.#context = context;
    this.#load = load;
    this.#down = down;
  }

  /**
   * The context of `K8S_CHECK_CONTEXT`, with `K8S_CHECK_LOAD` as the command that brings images into it; otherwise the
   * neighbouring cluster, which is started. Throws, with what to do, when there is neither.
   */
  static open(): Cluster {
    const context = process.env['K8S_CHECK_CONTEXT'];
    if (context) {
      const load = process.env['K8S_CHECK_LOAD'];
      if (!load)
        throw new Error(
          'K8S_CHECK_LOAD is required: the command that loads images, as `kind load docker-image`',
        );
      return new Cluster(context, { context: ['--context', context], load: load.split(' ') });
    }
    if (!existsSync(`${NEIGHBOUR}up`))
      throw new Error(
        'there is no cluster: set K8S_CHECK_CONTEXT to a context of kubectl that may be used for this',
      );
    const wasUp = isUp();
    const env = Object.fromEntries(
      execFileSync(`${NEIGHBOUR}up`, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
        .trim()
        .split('\n')
        .map((line) => /^export (\w+)=(.*)$/.exec(line)?.slice(1) ?? [])
        .map(([key = '', value = '']) => [key, value.replace(':$PATH', `:${process.env['PATH'] ?? ''}`)]),
    ) as Record<string, string>;
    return new Cluster('the neighbouring cluster', {
      env,
      load: [`${NEIGHBOUR}load-image`],
      down: wasUp ? null : [`${NEIGHBOUR}down`],
    });
  }

  /** Runs `kubectl`, and returns its output. Rejects with its error output. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const all = [...this.#context, ...args];
    const { stdout } = await run('kubectl', all, { env: this.#env, cwd: ROOT, maxBuffer: 256 * MIB }).catch(
      (error: unknown) => {
        const { stderr, message } = error as Error & { stderr?: string };
        throw new Error(`kubectl ${args.slice(0, 5).join(' ')}: ${stderr ?? message}`, { cause: error });
      },
    );
    return stdout;
  }

  /** `kubectl apply` of objects that are made here. */
  apply(objects: object): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn('kubectl', [...this.#context, 'apply', '-f', '-'], {
        env: this.#env,
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      child.once('error', reject);
      child.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`kubectl apply: ${code ?? ''}`)),
      );
      child.stdin.end(JSON.stringify(objects));
    });
  }

  /** Pods of a namespace; those that are being deleted are left out. */
  async pods(selector = '', namespace = 'fundrail'): Promise<Pod[]> {
    const text = await this.kubectl('-n', namespace, 'get', 'pods', '-o', 'json', '-l', selector);
    return (JSON.parse(text) as { items: Pod[] }).items.filter(({ metadata }) => !metadata.deletionTimestamp);
  }

  /** Brings images of the local Docker into the cluster. */
  async load(images: readonly string[]): Promise<void> {
    const [command = '', ...args] = this.#load;
    await run(command, [...args, ...images], { env: this.#env, maxBuffer: 16 * MIB });
  }

  /** Opens a local port to a port of a pod. */
  async tunnel(pod: string, port: number): Promise<Tunnel> {
    const child = spawn('kubectl', [...this.#context, '-n', 'fundrail', 'port-forward', pod, `:${port}`], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return { port: await forwardedPort(child), close: () => child.kill() };
  }

  /** Stops what `open` started, and nothing that was there before. */
  async close(): Promise<void> {
    const [command] = this.#down ?? [];
    if (command) await run(command);
  }
}

/** Whether the neighbouring cluster runs already: then someone else uses it too. */
function isUp(): boolean {
  try {
    execFileSync(`${NEIGHBOUR}enter`, ['true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function forwardedPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('kubectl port-forward says nothing');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error('kubectl port-forward ended');
}
