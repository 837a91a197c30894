import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { waitFor } from '@fundrail/testing';

const LISTENS = `const server = require('node:net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
/** A backlog of one holds two connections; later ones get no response. */
const HELD = 2;
const MORE_THAN_HELD = 16;

/** An address where a connection is neither established nor refused: a stopped process listens there, and its backlog is full. */
export class FullServer {
  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, null>,
    private readonly waiting: readonly Socket[],
    readonly url: string,
  ) {}

  static async start(): Promise<FullServer> {
    const child = spawn(process.execPath, ['--eval', LISTENS], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    child.kill('SIGSTOP');
    const port = Number(line);
    const waiting = Array.from({ length: MORE_THAN_HELD }, () => connect(port, '127.0.0.1'));
    for (const socket of waiting) socket.on('error', () => undefined);
    await waitFor(() => waiting.filter(({ connecting }) => !connecting).length >= HELD, { what: 'a queue' });
    return new FullServer(child, waiting, `http://127.0.0.1:${port}/hooks`);
  }

  async stop(): Promise<void> {
    for (const socket of this.waiting) socket.destroy();
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}
