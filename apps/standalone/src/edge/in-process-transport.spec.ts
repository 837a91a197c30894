import Fastify from 'fastify';
import { InProcessTransport } from './in-process-transport.ts';

const REQUEST = { method: 'GET', path: '/slow', headers: {}, timeoutMs: 20, isRepeatable: true } as const;

describe('calls inside one process', () => {
  it('wait for a service that answers late, because nothing can be lost on the way', async () => {
    const { promise: disk, resolve } = Promise.withResolvers<void>();
    const fastify = Fastify();
    fastify.get('/slow', () => disk.then(() => ({ answered: true })));
    const transport = new InProcessTransport();
    transport.add('identity', fastify);
    const answer = transport.request('identity', REQUEST);
    // when another call, made later, has exceeded the same limit
    await expect(transport.request('swp', REQUEST)).rejects.toThrow('swp did not start in 20 ms');
    resolve();
    expect(await answer).toEqual({ status: 200, body: '{"answered":true}' });
  });

  it('wait for a service that starts', async () => {
    const fastify = Fastify();
    fastify.get('/slow', () => ({}));
    const transport = new InProcessTransport();
    const answer = transport.request('identity', { ...REQUEST, timeoutMs: 60_000 });
    transport.add('identity', fastify);
    expect((await answer).status).toBe(200);
  });
});
