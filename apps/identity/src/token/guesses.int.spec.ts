import type { RunningService } from '@fundrail/service-kit';
import { FakeClock, waitFor } from '@fundrail/testing';
import { sql } from '@fundrail/service-kit/db';
import { UNUSED_MS } from '../rate-bucket/unused-buckets.lane.ts';
import { IdentityStage } from '../testing/identity-stage.ts';

const count = sql('test.rate_buckets', 'SELECT count(*)::int AS count FROM rate_buckets');

describe('guessing the secret of a client', () => {
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
  // Whatever was guessed before is forgotten.
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
  /** So many wrong secrets; a few at a time, as one process checks them. */
  const fail = async (times: number, one: (at: number) => Try) => {
    for (let from = 0; from < times; from += 25) {
      const some = Array.from({ length: Math.min(25, times - from) }, (_, at) => guess(one(from + at)));
      for (const { status } of await Promise.all(some)) expect(status).toBe(401);
    }
  };

  it('given ten wrong secrets of one address at two replicas, then it waits, with the right secret as well', async () => {
    await fail(10, (at) => ({ from: '203.0.113.1', at: at % 2 ? replica : stage.service }));
    for (const at of [stage.service, replica]) {
      const refused = await guess({ from: '203.0.113.1', at, ...right });
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
      expect(refused.body).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    }
    clock.advance(60_000);
    expect((await guess({ from: '203.0.113.1', ...right })).status).toBe(200);
  });

  it('given a client that is guessed at from everywhere, then its owner gets in from an address of his own', async () => {
    await fail(100, (at) => ({ from: `198.51.100.${at}` }));
    expect((await guess({ from: '198.51.100.7' })).status).toBe(429);
    expect((await guess({ from: '203.0.113.2', ...right })).status).toBe(200);
    // One wrong secret from there, and it stands with the others.
    await fail(1, () => ({ from: '203.0.113.2' }));
    expect((await guess({ from: '203.0.113.2', ...right })).status).toBe(429);
    clock.advance(60_000);
    expect((await guess({ from: '203.0.113.2', ...right })).status).toBe(200);
  });

  it('given an address that guesses at many clients, then each of them is tried once there, and others get in', async () => {
    await fail(50, (at) => ({ from: '203.0.113.3', id: `client-${at % 25}` }));
    expect((await guess({ from: '203.0.113.3', id: 'client-1' })).status).toBe(429);
    expect((await guess({ from: '203.0.113.3', ...right })).status).toBe(200);
    expect((await guess({ from: '203.0.113.4', id: 'client-1' })).status).toBe(401);
  });

  it.each([
    ['has not failed before', 0],
    ['has no wrong secret left', 50],
  ])(
    'given 200 guesses at once of a host that %s, then others are looked at meanwhile',
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

  it('given right secrets, however many, then nothing is slowed', async () => {
    const all = Array.from({ length: 30 }, () => guess({ from: '203.0.113.5', ...right }));
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
  });

  it('given guesses, when they have been forgotten, then nothing of them is kept', async () => {
    await fail(3, (at) => ({ from: '203.0.113.6', id: `nobody-${at}` }));
    clock.advance(UNUSED_MS + 61_000);
    await waitFor(async () => (await stage.service.database.query<{ count: number }>(count))[0]?.count === 0);
  });
});
