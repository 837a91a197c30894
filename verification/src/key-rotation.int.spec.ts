import { InProcessTransport } from '@fundrail/standalone';
import { identityService } from '@fundrail/identity';
import { mandatesService } from '@fundrail/mandates';
import { ordersService } from '@fundrail/orders';
import { bootstrap, type RunningService, type ServiceDefinition } from '@fundrail/service-kit';
import { sql } from '@fundrail/persistence';
import { createTestDatabase, FakeClock, waitFor } from '@fundrail/testing';
import { webhooksService } from '@fundrail/webhooks';
import { decodeProtectedHeader } from 'jose';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A token lives 30 minutes; this is its last full minute. */
const LIVE = 29;

const countKeys = sql('test.signing_keys', 'SELECT count(*)::int AS count FROM signing_keys');

describe('signing keys that change under load', () => {
  const transport = new InProcessTransport();
  const clock = new FakeClock('2026-11-21T10:00:00Z');
  const ends: (() => Promise<void>)[] = [];
  let identities: readonly RunningService[];
  let asked: readonly (readonly [service: RunningService, path: string])[];

  beforeAll(async () => {
    const start = async (definition: ServiceDefinition, replicas = 1): Promise<RunningService[]> => {
      const database = await createTestDatabase(definition);
      const env = {
        SANDBOX: 'true',
        DUE_POLL_MS: '10',
        GATEWAYPOA_BASE_URL: 'http://127.0.0.1:9',
        [`${definition.name.toUpperCase()}_DATABASE_URL`]: database.url,
      };
      const runtime = { env, clock, transport, bus: null, listen: false };
      const running: RunningService[] = [];
      for (let at = 0; at < replicas; at += 1) running.push(await bootstrap(definition, runtime));
      ends.push(async () => {
        await Promise.all(running.map((service) => service.stop()));
        await database.drop();
      });
      return running;
    };
    identities = await start(identityService, 2);
    transport.add('identity', identity().fastify);
    const [orders, mandates, webhooks] = await Promise.all([
      start(ordersService, 2),
      start(mandatesService),
      start(webhooksService),
    ]);
    asked = [
      ...orders.map((one) => [one, '/v2/mf_purchases'] as const),
      ...mandates.map((one) => [one, '/api/pg/mandates'] as const),
      ...webhooks.map((one) => [one, '/v2/events'] as const),
      ...identities.map((one) => [one, '/v2/bank_accounts'] as const),
    ];
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const identity = (at = 0): RunningService => {
    const service = identities[Math.abs(at) % 2];
    if (!service) throw new Error('there is no identity');
    return service;
  };
  const newToken = async (at: number): Promise<string> => {
    const answer = await identity(at).fastify.inject({
      method: 'POST',
      url: '/v2/auth/demo/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=client_credentials&client_id=demo&client_secret=demo-secret',
    });
    return answer.json<{ access_token: string }>().access_token;
  };
  const keyCount = async () => (await identity().database.query<{ count: number }>(countKeys))[0]?.count;
  const untilKeys = (count: number) =>
    waitFor(async () => (await keyCount()) === count, { what: `${count} signing keys` });
  /** Every status other than 200, over all tokens and all services. */
  const refusals = async (tokens: readonly string[]): Promise<number[]> => {
    const requests = tokens.flatMap((token) =>
      asked.map(async ([{ fastify }, url]) => {
        const answer = await fastify.inject({ url, headers: { authorization: `Bearer ${token}` } });
        return answer.statusCode;
      }),
    );
    return (await Promise.all(requests)).filter((status) => status !== 200);
  };

  it('given tokens of all ages at every replica, when the key is published, used and dropped, then none is refused', async () => {
    await newToken(0);
    clock.advance(30 * DAY - 40 * MINUTE);
    const tokens: string[] = [];
    const kids = new Set<string | undefined>();
    for (let minute = -40; minute <= 100; minute += 1) {
      // In a deployment this minute passes during the rotation; here the test waits for it.
      if (minute === -13) await untilKeys(2);
      if (minute === 64) await untilKeys(1);
      tokens.push(await newToken(minute));
      kids.add(decodeProtectedHeader(tokens.at(-1) ?? '').kid);
      const live = tokens.slice(-LIVE);
      const tried = [live[0], live[Math.floor(live.length / 2)], live.at(-1)].filter(
        (token) => token !== undefined,
      );
      expect([minute, await refusals(tried)]).toEqual([minute, []]);
      clock.advance(MINUTE);
    }
    expect(kids.size).toBe(2);
    expect(await keyCount()).toBe(1);
  });
});
