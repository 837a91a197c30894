import type { RunningService } from '@fundrail/service-kit';
import { FakeClock, waitFor } from '@fundrail/testing';
import { sql } from '@fundrail/persistence';
import { UNUSED_MS } from '../rate-bucket/unused-buckets.lane.ts';
import { IdentityStage } from '../testing/identity-stage.ts';
import { KNOWN_FOR_MS } from './known-sign-ins.ts';

const keys = sql('test.rate_bucket_keys', 'SELECT key FROM rate_buckets');
const count = sql('test.rate_buckets', 'SELECT count(*)::int AS count FROM rate_buckets');

describe('guessing the secret of a client (AUTH-13)', () => {
  let stage: IdentityStage;
  let clock: FakeClock;
  let replica: RunningService;
  beforeAll(async () => {
    clock = new FakeClock('2026-11-21T10:00:00Z');
    const env = { TRUSTED_PROXIES: '127.0.0.0/8', DUE_POLL_MS: '10' };
    stage = await IdentityStage.start({ clock, env });
    replica = await stage.replica();
  });
  afterAll(() => stage.end());
  // Removes every earlier guess.
  beforeEach(() => clock.advance(UNUSED_MS));

  interface Try {
    readonly from: string;
    readonly id?: string;
    readonly secret?: string;
    readonly at?: RunningService;
  }
  const guess = ({ from, id = 'demo', secret = 'wrong', at = stage.service }: Try) =>
    stage.send(
      {
        url: '/v2/auth/demo/token',
        body: `grant_type=client_credentials&client_id=${id}&client_secret=${secret}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
      },
      at,
    );
  const right = { secret: 'demo-secret' };
  /** Sends that many wrong secrets, a few at a time, as one process checks them. */
  const fail = async (times: number, one: (at: number) => Try) => {
    for (let from = 0; from < times; from += 25) {
      const some = Array.from({ length: Math.min(25, times - from) }, (_, at) => guess(one(from + at)));
      for (const { status } of await Promise.all(some)) expect(status).toBe(401);
    }
  };

  it('stores keys that need the secret of the database: another installation has others for the same guess', async () => {
    const other = await IdentityStage.start({ clock, env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
    const keysAt = async (service: RunningService) => {
      expect((await guess({ from: '203.0.113.77', at: service })).status).toBe(401);
      return (await service.database.query<{ key: string }>(keys)).map(({ key }) => key);
    };
    const [here, there] = [await keysAt(stage.service), await keysAt(other.service)];
    await other.end();
    expect(there).toHaveLength(3);
    expect(here.filter((key) => there.includes(key))).toEqual([]);
  });

  it('given ten wrong secrets from one address at two replicas, then it has to wait, even with the right secret', async () => {
    await fail(10, (at) => ({ from: '203.0.113.1', at: at % 2 ? replica : stage.service }));
    for (const at of [stage.service, replica]) {
      const refused = await guess({ from: '203.0.113.1', at, ...right });
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
      expect(refused.body).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    }
    clock.advance(60_000);
    expect((await guess({ from: '203.0.113.1', ...right })).status).toBe(200);
  });

  it('given guesses at a client from everywhere, then its owner gets in from another address', async () => {
    await fail(100, (at) => ({ from: `198.51.100.${at}` }));
    expect((await guess({ from: '198.51.100.7' })).status).toBe(429);
    expect((await guess({ from: '203.0.113.2', ...right })).status).toBe(200);
    // One wrong secret from an address without an earlier sign-in, and it has to wait like the others there.
    await fail(1, () => ({ from: '203.0.113.20' }));
    expect((await guess({ from: '203.0.113.20', ...right })).status).toBe(429);
    expect((await guess({ from: '203.0.113.2', ...right })).status).toBe(200);
    clock.advance(60_000);
    expect((await guess({ from: '203.0.113.20', ...right })).status).toBe(200);
  });

  it('given wrong secrets from one address for always new client ids, then the address is slowed', async () => {
    await fail(50, (at) => ({ from: '203.0.113.3', id: `client-${at}` }));
    const more = Array.from({ length: 20 }, (_, at) => guess({ from: '203.0.113.3', id: `further-${at}` }));
    expect(new Set((await Promise.all(more)).map(({ status }) => status))).toEqual(new Set([429]));
    // A client that never signed in from there has to wait; from elsewhere it gets in.
    expect((await guess({ from: '203.0.113.3', ...right })).status).toBe(429);
    expect((await guess({ from: '203.0.113.4', ...right })).status).toBe(200);
    expect((await guess({ from: '203.0.113.4', id: 'client-1' })).status).toBe(401);
  });

  it('given an address from which a client has signed in, then a stranger there does not lock it out, at any replica', async () => {
    expect((await guess({ from: '203.0.113.8', ...right })).status).toBe(200);
    await fail(50, (at) => ({ from: '203.0.113.8', id: `stranger-${at}` }));
    expect((await guess({ from: '203.0.113.8', id: 'another' })).status).toBe(429);
    for (const at of [stage.service, replica])
      expect((await guess({ from: '203.0.113.8', at, ...right })).status).toBe(200);
    // Its own wrong secrets are still slowed.
    await fail(10, () => ({ from: '203.0.113.8' }));
    expect((await guess({ from: '203.0.113.8', ...right })).status).toBe(429);
  });

  it('given a client that has not signed in from an address for a month, then it is unknown there again', async () => {
    expect((await guess({ from: '203.0.113.9', ...right })).status).toBe(200);
    clock.advance(KNOWN_FOR_MS);
    await fail(50, (at) => ({ from: '203.0.113.9', id: `monthly-${at}` }));
    expect((await guess({ from: '203.0.113.9', ...right })).status).toBe(429);
  });

  it('given sign-ins that fail, then each is a log line with tenant, client and a hash of the address, without any input', async () => {
    stage.lines.length = 0;
    await guess({ from: '203.0.113.10' });
    // A repetition within a minute has no separate line.
    await guess({ from: '203.0.113.10' });
    await guess({ from: '203.0.113.10', id: 'asha.rao@example.com', secret: 'typed-secret' });
    const lines = stage.lines.filter((line) => line.includes('a sign-in failed'));
    const facts = lines.map((line) => JSON.parse(line) as Record<string, string | null>);
    expect(facts).toMatchObject([
      { reason: 'wrong secret', tenant: 'demo', client: 'demo' },
      { reason: 'unknown client', tenant: 'demo', client: null },
    ]);
    expect(facts[0]?.['address_hash']).toMatch(/^[\w-]{12}$/);
    expect(facts[1]?.['address_hash']).toBe(facts[0]?.['address_hash']);
    expect(stage.lines.join()).not.toMatch(/203\.0\.113|asha|typed-secret/);
  });

  it.each([
    ['has not failed before', 0],
    ['has no wrong secret left', 50],
  ])(
    'given 200 simultaneous guesses from a host that %s, then others are checked meanwhile',
    async (_, before) => {
      const from = `198.51.100.${200 + before}`;
      await fail(before, (at) => ({ from, id: `before-${at}` }));
      let isFull = false;
      const flood = Array.from({ length: 200 }, async (__, at) => {
        const { status } = await guess({ from, id: `of-${before}-${at}` });
        isFull ||= status === 429;
      });
      await waitFor(() => isFull);
      const honest = Array.from({ length: 30 }, () => guess({ from: '203.0.113.7', ...right }));
      expect(new Set((await Promise.all(honest)).map(({ status }) => status))).toEqual(new Set([200]));
      await Promise.all(flood);
    },
  );

  it('given any number of right secrets, then nothing is slowed', async () => {
    const all = Array.from({ length: 30 }, () => guess({ from: '203.0.113.5', ...right }));
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
  });

  it('given guesses, when they no longer count, then nothing of them is stored', async () => {
    await fail(3, (at) => ({ from: '203.0.113.6', id: `unknown-${at}` }));
    clock.advance(UNUSED_MS);
    await waitFor(async () => {
      // A look that was under way at the jump saw the time before it; the next is a minute later.
      clock.advance(61_000);
      return (await stage.service.database.query<{ count: number }>(count))[0]?.count === 0;
    });
  });
});
