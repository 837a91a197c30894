import { MockAgent } from 'undici';
import { HttpCaller, retryAfterMs, tooMany, type CallKind, type WireAnswer } from './http-caller.ts';
import { below, route } from './route.ts';

const NOW = Date.parse('2026-12-21T10:00:00+05:30');

describe('the pause that a 429 asks for', () => {
  it.each([
    ['1500', 1_500_000],
    ['0', 1_000],
    ['31536000', 3_600_000],
    ['Mon, 21 Dec 2026 04:31:00 GMT', 60_000],
    ['Mon, 21 Dec 2026 04:00:00 GMT', 1_000],
    ['Tue, 21 Dec 2027 04:30:00 GMT', 3_600_000],
    ['soon', 5_000],
    [undefined, 5_000],
  ])('%s is kept for %s ms: a second at least, an hour at most', (header, ms) => {
    const said = retryAfterMs(header, NOW);
    expect(tooMany(said === null ? {} : { retry_after_ms: said }).retry_after_ms).toBe(ms);
  });
});

describe('a call', () => {
  it.each([
    ['a NUL', { reason: 'a\0b' }],
    ['half a character', [{ reason: '\ud83d' }]],
  ])('is not understood when its answer has %s, which no database can store', async (_what, body) => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get('http://provider').intercept({ path: '/orders' }).reply(200, JSON.stringify(body));
    const caller = new HttpCaller('gatewaypoa', { baseUrl: 'http://provider', dispatcher: agent });
    const answer = await caller.call(route`/orders`, { method: 'GET', headers: {} });
    expect(answer).toEqual({ kind: 'answered', status: 200, body: undefined });
    await agent.close();
  });

  it('is observed with its kind and its answer, without its values', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get('http://provider').intercept({ path: '/v1/orders/a%2Fb' }).reply(404, {});
    const seen: [CallKind, WireAnswer][] = [];
    const caller = new HttpCaller('gatewaypoa', {
      baseUrl: 'http://provider/',
      dispatcher: agent,
      observe: async (kind, make) => {
        const answer = await make();
        seen.push([kind, answer]);
        return answer;
      },
    });
    const call = { method: 'GET', headers: {} } as const;
    const found = await caller.call(below('/v1', route`/orders/${'a/b'}`), call);
    const silent = await caller.call(route`/elsewhere`, call);
    expect(found).toEqual({ kind: 'answered', status: 404, body: {} });
    expect(seen).toEqual([
      [{ provider: 'gatewaypoa', method: 'GET', template: '/v1/orders/{id}' }, found],
      [{ provider: 'gatewaypoa', method: 'GET', template: '/elsewhere' }, silent],
    ]);
    expect(silent.kind).toBe('silence');
    await agent.close();
  });
});
