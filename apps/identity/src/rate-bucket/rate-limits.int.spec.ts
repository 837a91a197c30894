import type { RunningService } from '@fundrail/service-kit';
import { FakeClock, waitFor } from '@fundrail/testing';
import { IdentityStage } from '../testing/identity-stage.ts';

const LOOK = '/v2/investor_profiles';
const STEP_MS = 20;
/** On a slow machine too, no replica decides alone. */
const PATIENT = { RATE_LIMIT_WAIT_MS: '30000', RATE_LIMIT_ASK_MS: '30000' };

describe('the limit of a tenant over three replicas', () => {
  let stage: IdentityStage;
  let clock: FakeClock;
  let replicas: readonly RunningService[];
  let token: string;
  beforeAll(async () => {
    clock = new FakeClock('2026-11-21T10:00:00Z');
    stage = await IdentityStage.start({ clock, env: { RATE_LIMITS: 'on', ...PATIENT } });
    replicas = [stage.service, await stage.replica(), await stage.replica()];
    token = await stage.otherTenant('flood');
  });
  afterAll(() => stage.end());

  /** Sets a limit of reads, waits until every replica has received it, and lets the bucket fill. */
  const setLimit = async (reads_per_second: number) => {
    const body = { rate_limits: { reads_per_second, writes_per_second: 5 } };
    const url = '/admin/tenants/flood/settings';
    const admin = await stage.adminToken();
    expect((await stage.send({ method: 'PATCH', url, body, token: admin })).status).toBe(200);
    for (const at of replicas.keys())
      await waitFor(async () => {
        clock.advance(3_000);
        return (await look(at)).headers['ratelimit-limit'] === String(reads_per_second * 2);
      });
    clock.advance(60_000);
  };
  const look = (at: number) => stage.send({ url: LOOK, token }, replicas[at % replicas.length]);
  const lookMany = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, (_, at) => look(at)))).map(({ status }) => status);
  /** How many requests are admitted in that time, with `each` requests in each step. */
  const admittedIn = async (seconds: number, each: number, spread = (at: number) => at, stepMs = STEP_MS) => {
    let admitted = 0;
    for (let at = 0; at < (seconds * 1000) / stepMs; at += 1) {
      const asked = Array.from({ length: each }, (_, one) => look(spread(at * each + one)));
      admitted += (await Promise.all(asked)).filter(({ status }) => status === 200).length;
      clock.advance(stepMs);
    }
    return admitted;
  };

  it.each([
    ['all of them alike', (at: number) => at, STEP_MS],
    ['one of them mostly', (at: number) => (at % 10 === 0 ? at / 10 : 0), STEP_MS],
    // In each step the bucket gains a third of a request.
    ['them at odd moments', (at: number) => at, 7],
  ])(
    'given a flood that reaches %s, then it gets 2 s of burst and its rate, within 10 %% (RATE-3)',
    async (_, spread, stepMs) => {
      await setLimit(50);
      const admitted = await admittedIn(5, 3, spread, stepMs);
      const wanted = 50 * (2 + 5);
      expect(admitted).toBeGreaterThanOrEqual(wanted * 0.9);
      expect(admitted).toBeLessThanOrEqual(wanted * 1.1);
    },
  );

  it('given less than its rate, then nothing is refused', async () => {
    await setLimit(100);
    expect(await admittedIn(2, 2)).toBe(200);
  });

  it('given a burst of 2 s at once, then all of it is let in, and no more (RATE-2)', async () => {
    await setLimit(10);
    const statuses = await lookMany(40);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('given a refusal, then it states when to retry, in the common error format (RATE-5, RATE-6)', async () => {
    await setLimit(1);
    const admitted = await look(0);
    expect(admitted.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '1',
    });
    await look(1);
    const refused = await look(2);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: { status: 429, code: 'RATE_LIMITED', errors: [] } });
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '2',
    });
    clock.advance(1_000);
    expect((await look(2)).status).toBe(200);
  });

  it('given reads that are used up, then writes and other tenants continue (RATE-1)', async () => {
    await setLimit(1);
    expect(await lookMany(10)).toContain(429);
    const write = await stage.send({ url: LOOK, body: {}, token });
    expect([write.status, write.headers['ratelimit-limit']]).toEqual([400, '10']);
    expect((await stage.send({ url: LOOK, token: await stage.token() })).status).toBe(200);
  });

  it('given an admin who acts in the tenant, then it counts for the admin’s own tenant', async () => {
    await setLimit(1);
    expect(await lookMany(10)).toContain(429);
    const admin = await stage.adminToken();
    const seen = await stage.send({ url: LOOK, token: admin, headers: { 'x-tenant-id': 'flood' } });
    expect(seen.status).toBe(200);
  });

  it('given a request without a tenant, then it has no limit (RATE-4)', async () => {
    for (const url of ['/.well-known/jwks.json', '/health/live']) {
      const { status, headers } = await stage.send({ url });
      expect([status, headers['ratelimit-limit']]).toEqual([200, undefined]);
    }
  });
});
