import type { RequestListener } from 'node:http';

/** What an echo server answers: the parts of the request that arrived there. */
export interface Echo {
  /** The service that it stands for. */
  readonly service: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** The number of this request to the path, from 1. A number above 1 shows that a request was sent twice. */
  readonly count: number;
}

/**
 * Stands in for a service behind the edge; a request has to arrive completely within 3 s. `?break` closes the connection instead of
 * answering, `?large` answers 5 MB. Its source runs in a container as it is, so it uses only what it loads itself.
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
  const options = { maxHeaderSize: 65_536, requestTimeout: 3_000, connectionsCheckingInterval: 200 };
  createServer(options, answer).listen(3000, () => console.log('echoing'));
}

/** The command of its container. */
export const ECHO_COMMAND = ['node', '-e', `(${serveEcho.toString()})()`];
