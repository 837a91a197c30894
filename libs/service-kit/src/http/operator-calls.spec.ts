import { ApiError, type BeginOperatorCall } from '@fundrail/contracts';
import { Log } from '../logging/log.ts';
import { ServiceTokens } from './auth/service-tokens.ts';
import { ServiceClient } from './client/service-client.ts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from './client/service-transport.ts';
import { OperatorCalls } from './operator-calls.ts';

const CALL: BeginOperatorCall = {
  ...{ tenant: 'demo', client_id: 'admin', acted_in: 'demo', named_tenant: null },
  ...{ method: 'PATCH', path: '/admin/tenants/demo/settings', request_id: 'r', status: null },
};
const RECORDED: TransportAnswer = { status: 200, body: '{"id":7,"is_tenant_known":true}' };

describe('the record of an operator call', () => {
  const requests: TransportRequest[] = [];
  beforeEach(() => void requests.splice(0));

  /** Identity gives these answers one after the other, then no more. */
  const callsWith = (...answers: (TransportAnswer | Error)[]): OperatorCalls => {
    const transport: ServiceTransport = {
      request: (_service, request) => {
        requests.push(request);
        const answer = answers.shift() ?? new Error('identity did not answer in 2000 ms');
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      close: () => Promise.resolve(),
    };
    const client = new ServiceClient(transport, new ServiceTokens('identity', 's'.repeat(32)));
    return new OperatorCalls(client, Log.to('test', 'silent'));
  };

  it('given an answer that is lost or late, then the call is repeated once under the same name', async () => {
    expect(await callsWith(new Error('late'), RECORDED).begin(CALL)).toMatchObject({ id: 7 });
    expect(requests.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/internal\/operator_calls\?call=[\da-f-]{36}$/),
      requests[0]?.path,
    ]);
    expect(requests.map(({ body }) => body)).toEqual([JSON.stringify(CALL), JSON.stringify(CALL)]);
  });

  it('given no answer at all, then it is a 503 after the second attempt', async () => {
    const refused: unknown = await callsWith()
      .begin(CALL)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(requests).toHaveLength(2);
  });

  it('given two calls, then each has a different name', async () => {
    const calls = callsWith(RECORDED, RECORDED);
    await calls.begin(CALL);
    await calls.begin(CALL);
    expect(new Set(requests.map(({ path }) => path)).size).toBe(2);
  });
});
