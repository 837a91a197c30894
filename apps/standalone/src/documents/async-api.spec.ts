import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendDocument } from './async-api.ts';

describe('a document of the standalone', () => {
  it('is made at the first request, and once', async () => {
    let made = 0;
    const handler = sendDocument(() => JSON.stringify({ made: ++made }));
    const server = createServer(handler).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const read = async () => {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      return [answer.headers.get('content-type'), await answer.json()];
    };
    expect(made).toBe(0);
    const document = ['application/json; charset=utf-8', { made: 1 }];
    expect([await read(), await read()]).toEqual([document, document]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
