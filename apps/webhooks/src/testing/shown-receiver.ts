import { waitFor } from '@fundrail/testing';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

const ROOT = new URL('../../../../', import.meta.url);

/** The code block of that language in docs/webhooks.md, without its fence. */
async function shown(language: string): Promise<string> {
  const page = await readFile(new URL('docs/webhooks.md', ROOT), 'utf8');
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md has no code in ${language}`);
  return code;
}

/** How the code of a language is run: the command and the arguments before the code. */
export interface Interpreter {
  readonly language: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The receiver of docs/webhooks.md, run unchanged. */
export class ShownReceiver {
  private output = '';

  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  /** Resolves once it listens on `port`. */
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
    await waitFor(answers, { limitMs: 60_000, what: 'the receiver' });
    if (receiver.hasExited) throw new Error(`the receiver in ${language} ended: ${receiver.output}`);
    return receiver;
  }

  /** Returns the status; null when nothing listens. */
  async post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<number | null> {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(this.url, { method: 'POST', headers: sent, body }).catch(() => null);
    return answer?.status ?? null;
  }

  /** The lines that it printed for events of that type. */
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

/** The URL at which a receiver listens. */
export function urlAt(port: number): string {
  return `http://127.0.0.1:${port}/hooks`;
}
