import type { RequestListener } from 'node:http';

/** What an echo server answers: what of the request has arrived there. */
export interface Echo {
  /** The service that it stands for. */
  readonly service: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** Which request this is to the path, counted from 1: more than one was sent when only one was asked for. */
  readonly count: number;
}

/**
 * Stands in for a service behind the edge. `?break` closes the connection in place of an answer, `?large` answers 5 MB.
 * Runs in a container as it is written here, so it uses nothing from outside of it but what it loads itself.
 */
async function serveEcho(): Promise<void> {
  const { createServer } = await import('node:http');
  const counts = new Map<string, number>();
  const answer: RequestListener = (request, response) => {
    const url = request.url ?? '';
    const path = url.split('?', 1)[0] ?? '';
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    let bodyBytes = 0;
    request.on('data', (chunk: Buffer) => (bodyBytes += chunk.length));
    request.on('end', () => {
      if (url.endsWith('?break')) return request.socket.destroy();
      const { method, headers } = request;
      const echo = { service: process.env['SERVICE'], method, url, headers, bodyBytes, count };
      response.setHeader('content-type', 'application/json');
      return response.end(url.endsWith('?large') ? 'x'.repeat(5_000_000) : JSON.stringify(echo));
    });
  };
  process.once('SIGTERM', () => process.exit(0));
  createServer({ maxHeaderSize: 65_536 }, answer).listen(3000, () => console.log('echoing'));
}

/** The command of its container. */
export const ECHO_COMMAND = ['node', '-e', `(${serveEcho.toString()})()`];
