import { waitFor } from '@fundrail/testing';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

const ROOT = new URL('../../../../', import.meta.url);

/** What docs/webhooks.md shows in that language, without its fence. */
async function shown(language: string): Promise<string> {
  const page = await readFile(new URL('docs/webhooks.md', ROOT), 'utf8');
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md shows no ${language}`);
  return code;
}

/** How the code of one language is run: the command with what stands before the code. */
export interface Interpreter {
  readonly language: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The receiver that docs/webhooks.md shows, run as it stands there. */
export class ShownReceiver {
  private output = '';

  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  /** Listens, once it is there, on `port`. */
  static async start(
    { language, command, args }: Interpreter,
    secret: string,
    port: number,
  ): Promise<ShownReceiver> {
    const child = spawn(command, [...args, await shown(language)], {
      cwd: ROOT,
      env: { WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const receiver = new ShownReceiver(child, urlAt(port));
    const answers = async () => (await receiver.post('{}')) === 400 || receiver.hasExited;
    await waitFor(answers, { limitMs: 20_000, what: 'the receiver' });
    if (receiver.hasExited) throw new Error(`the receiver in ${language} ended: ${receiver.output}`);
    return receiver;
  }

  /** Answers the status; null when nobody listens. */
  async post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<number | null> {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(this.url, { method: 'POST', headers: sent, body }).catch(() => null);
    return answer?.status ?? null;
  }

  /** The lines that it printed of events of that type. */
  linesOf(type: string): string[] {
    return this.output.split('\n').filter((line) => line.startsWith(type));
  }

  private get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async stop(): Promise<void> {
    if (this.hasExited) return;
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}

/** Where a receiver listens. */
export function urlAt(port: number): string {
  return `http://127.0.0.1:${port}/hooks`;
}
