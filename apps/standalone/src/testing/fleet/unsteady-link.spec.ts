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

  it('resets what is under way when it is cut', async () => {
    server.removeAllListeners('request');
    const begun = new Promise<void>((resolve) => server.once('request', () => resolve()));
    const unanswered = ask();
    await begun;
    link.set('cut');
    await expect(unanswered).rejects.toThrow('fetch failed');
  });

  it('holds each way up for as long as it is told', async () => {
    link.set(60);
    const begin = performance.now();
    expect(await ask()).toBe('here');
    // Never less than both ways; more when the machine is busy. A timer may be a millisecond early.
    expect(performance.now() - begin).toBeGreaterThanOrEqual(118);
  });
});
