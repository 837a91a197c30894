import { decimal } from '@fundrail/contracts';
import { z } from 'zod';
import { runInScope } from '../../db/open-transaction.ts';
import { ServiceTokens } from '../auth/service-tokens.ts';
import { requestContext } from '../request-context.ts';
import { ServiceClient } from './service-client.ts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from './service-transport.ts';

class PlayedService implements ServiceTransport {
  readonly requests: TransportRequest[] = [];
  constructor(private readonly answers: (TransportAnswer | Error)[]) {}

  request(_service: string, request: TransportRequest): Promise<TransportAnswer> {
    this.requests.push(request);
    const answer = this.answers.shift() ?? new Error('silence');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const ok = (body: string): TransportAnswer => ({ status: 200, body });
const answer = z.strictObject({ amount: decimal });

describe('ServiceClient', () => {
  const clientOf = (...answers: (TransportAnswer | Error)[]) => {
    const service = new PlayedService(answers);
    return { service, client: new ServiceClient(service, new ServiceTokens('payments', 's'.repeat(32))) };
  };
  const get = { method: 'GET', path: '/internal/x', answer } as const;
  const post = { method: 'POST', path: '/internal/x', body: { a: 1 }, answer } as const;

  it('sends a service token and the request id, and reads exact decimals', async () => {
    const { client, service } = clientOf(ok('{"amount":90071992547.9301}'));
    const found = await requestContext.run({ request_id: 'r-1' }, () => client.call('orders', post));
    expect(found.amount.toString()).toBe('90071992547.9301');
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      timeoutMs: 2000,
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r-1',
        authorization: expect.stringMatching(/^Bearer /),
      },
    });
  });

  it('reads the answers of a newer service and drops unknown fields', async () => {
    const error = {
      status: 404,
      code: 'NOT_FOUND',
      message: 'no',
      errors: [],
      request_id: 'r',
      doc_url: 'x',
    };
    const { client } = clientOf(ok('{"amount":1,"currency":"INR"}'), {
      status: 404,
      body: JSON.stringify({ error, help: 'y' }),
    });
    expect(JSON.stringify(await client.call('orders', post))).toBe('{"amount":1.0000}');
    await expect(client.call('orders', post)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['silence', new Error('timeout')],
    ['a 5xx', { status: 500, body: '{}' }],
    ['nonsense', ok('<html>')],
    ['another shape', ok('{"other":1}')],
    ['a refusal of our own token', { status: 401, body: '{}' }],
  ])('treats %s as no answer: 503 with Retry-After', async (_what, reply) => {
    await expect(clientOf(reply).client.call('orders', post)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: 1,
    });
  });

  it("passes on another service's refusal", async () => {
    const error = {
      status: 409,
      code: 'ORDER_NOT_PENDING',
      message: 'no',
      errors: [{ field: 'a', message: 'b' }],
      request_id: 'r',
    };
    const { client } = clientOf({ status: 409, body: JSON.stringify({ error }) });
    await expect(client.call('orders', post)).rejects.toMatchObject({
      code: 'ORDER_NOT_PENDING',
      message: 'no',
      errors: error.errors,
    });
  });

  it('tries a GET twice, and a POST only with retry', async () => {
    const good = ok('{"amount":1}');
    await expect(clientOf(new Error('x'), good).client.call('orders', get)).resolves.toBeDefined();
    await expect(
      clientOf(new Error('x'), good).client.call('orders', { ...post, retry: true }),
    ).resolves.toBeDefined();
    const once = clientOf(new Error('x'), good);
    await expect(once.client.call('orders', post)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(once.service.requests).toHaveLength(1);
  });

  it('refuses to call inside an open transaction', async () => {
    const { client, service } = clientOf(ok('{"amount":1}'));
    await expect(runInScope({ open: true }, () => client.call('orders', get))).rejects.toThrow(
      'no remote call inside a transaction',
    );
    expect(service.requests).toEqual([]);
  });
});
