import { errorBody } from '@fundrail/contracts';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Balancer } from './balancer.ts';

describe('the balancer of a fleet', () => {
  const servers: Server[] = [];
  const upstreams: string[] = [];
  let balancer: Balancer;
  let url: string;

  beforeEach(async () => {
    upstreams.length = 0;
    balancer = new Balancer(() => upstreams);
    url = await balancer.listen();
  });
  afterEach(() => {
    balancer.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const says =
    (word: string): RequestListener =>
    (_request, response) =>
      response.end(word);
  const ask = async (init?: RequestInit) => {
    const answer = await fetch(`${url}/v2/x?y=1`, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  /** An address on which no server listens. */
  async function deadAddress(): Promise<string> {
    const address = await serve(says('never'));
    await new Promise((resolve) => servers.pop()?.close(resolve));
    return address;
  }

  it('lets the replicas take turns', async () => {
    upstreams.push(await serve(says('one')), await serve(says('two')));
    const words = [await ask(), await ask(), await ask()].map((answer) => answer.text);
    expect(words).toEqual(['one', 'two', 'one']);
  });

  it('passes method, path, headers and body on, and the answer back', async () => {
    upstreams.push(
      await serve((request, response) => {
        void text(request).then((body) => {
          const seen = [request.method, request.url, request.headers['x-a'], body];
          response.writeHead(418, { 'x-b': 'c' }).end(JSON.stringify(seen));
        });
      }),
    );
    const answer = await ask({ method: 'PATCH', body: 'words', headers: { 'x-a': 'b' } });
    expect(answer.text).toBe('["PATCH","/v2/x?y=1","b","words"]');
    expect([answer.status, answer.headers.get('x-b')]).toEqual([418, 'c']);
  });

  it('goes on to the next replica when one refuses the connection', async () => {
    upstreams.push(await deadAddress(), await serve(says('alive')));
    expect((await ask({ method: 'POST', body: 'once' })).text).toBe('alive');
  });

  it('does not resend a request that may have had its effect', async () => {
    let asked = 0;
    const breaks: RequestListener = (request) => {
      asked += 1;
      request.socket.destroy();
    };
    upstreams.push(await serve(breaks), await serve(breaks));
    const answer = await ask({ method: 'POST', body: 'once' });
    expect([asked, answer.status, answer.headers.get('retry-after')]).toEqual([1, 503, '1']);
    expect(errorBody.parse(JSON.parse(answer.text)).error.code).toBe('SERVICE_UNAVAILABLE');
  });

  it('answers 503 when no replica serves', async () => {
    expect((await ask()).status).toBe(503);
  });
});
