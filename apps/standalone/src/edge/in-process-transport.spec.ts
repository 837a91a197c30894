import { jest } from '@jest/globals';
import Fastify from 'fastify';
import { InProcessTransport } from './in-process-transport.ts';

const REQUEST = { method: 'GET', path: '/slow', headers: {}, timeoutMs: 2_000, isRepeatable: true } as const;

describe('calls inside one process', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const slowService = () => {
    const { promise: disk, resolve } = Promise.withResolvers<void>();
    const fastify = Fastify();
    fastify.get('/slow', () => disk.then(() => ({ answered: true })));
    return { fastify, resolve };
  };

  it('wait for 10 s, longer than calls over a network, because what is slow is this machine', async () => {
    const { fastify, resolve } = slowService();
    await fastify.ready();
    const transport = new InProcessTransport();
    transport.add('identity', fastify);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const answer = transport.request('identity', REQUEST);
    jest.advanceTimersByTime(9_999);
    resolve();
    expect(await answer).toEqual({ status: 200, body: '{"answered":true}' });
  });

  it('end after that, and for a service that does not start too', async () => {
    const transport = new InProcessTransport();
    transport.add('identity', slowService().fastify);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const refusalOf = (name: 'identity' | 'plans') =>
      transport.request(name, REQUEST).then(() => 'answered', String);
    const refusals = Promise.all([refusalOf('identity'), refusalOf('plans')]);
    const longer = transport.request('orders', { ...REQUEST, timeoutMs: 20_000 }).then(() => '', String);
    jest.advanceTimersByTime(10_000);
    expect(await refusals).toEqual([
      'Error: identity did not answer in 10000 ms',
      'Error: plans did not answer in 10000 ms',
    ]);
    jest.advanceTimersByTime(10_000);
    expect(await longer).toBe('Error: orders did not answer in 20000 ms');
  });

  it('wait for a service that starts', async () => {
    const fastify = Fastify();
    fastify.get('/slow', () => ({}));
    const transport = new InProcessTransport();
    const answer = transport.request('identity', REQUEST);
    transport.add('identity', fastify);
    expect((await answer).status).toBe(200);
  });
});
