import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnsteadyLink } from './unsteady-link.ts';

describe('an unsteady link', () => {
  let server: Server;
  let link: UnsteadyLink;

  beforeEach(async () => {
    server = createServer((_request, response) => response.end('here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    link = await UnsteadyLink.to(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(() => {
    link.close();
    server.closeAllConnections();
    server.close();
  });
  const ask = async () => (await fetch(link.url)).text();

  it('passes everything while it is steady', async () => {
    expect(await ask()).toBe('here');
  });

  it('passes nothing while it is cut, and everything afterwards', async () => {
    link.set('cut');
    await expect(ask()).rejects.toThrow('fetch failed');
    link.set('steady');
    expect(await ask()).toBe('here');
  });

  it('answers 503 in place of the server while it is failing', async () => {
    link.set('failing');
    expect([(await fetch(link.url, { method: 'POST', body: 'hello' })).status, await ask()]).toEqual([
      503,
      '',
    ]);
    link.set('steady');
    expect(await ask()).toBe('here');
  });

  it('resets open connections when it is cut', async () => {
    server.removeAllListeners('request');
    const started = new Promise<void>((resolve) => server.once('request', () => resolve()));
    const unanswered = ask();
    await started;
    link.set('cut');
    await expect(unanswered).rejects.toThrow('fetch failed');
  });

  it('delays each direction by the given time', async () => {
    link.set(60);
    const begin = performance.now();
    expect(await ask()).toBe('here');
    // At least the delay of both directions; more on a busy machine. A timer may fire a millisecond early.
    expect(performance.now() - begin).toBeGreaterThanOrEqual(118);
  });
});
