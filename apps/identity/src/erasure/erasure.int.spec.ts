import {
  istInstant,
  personIds,
  type PersonIds,
  type PersonStanding,
  type ServiceName,
} from '@fundrail/contracts';
import type { RunningService } from '@fundrail/service-kit';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { answered, FakeClock, inject, serviceToken, setFaultHandler, waitFor } from '@fundrail/testing';
import { IdentityStage } from '../testing/identity-stage.ts';
import { STORING } from './person-elsewhere.ts';

const START = '2026-12-21T10:00:00.000+05:30';
/** The first day on which a year since START is over. */
const DUE = '2027-12-22';
const MINUTE_MS = 60_000;
const PERSON = {
  ...{ name: 'Asha Zqrao', pan: 'ZQCPR1234K', date_of_birth: '1941-03-09', email: 'zq@example.com' },
  mobile: { isd_code: '91', number: '9876512345' },
};
const NUMBER = '5010009876543';
const NOTHING: PersonStanding = { live: false, last_processed_at: null, last_ordered_at: null, subjects: [] };

const TOO_MUCH = {
  error: {
    ...{ status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'Too much is stored.', errors: [] },
    request_id: 'req_1',
  },
};

/** The other services: each says the same about everybody. */
class PlayedServices implements ServiceTransport {
  identity: RunningService | null = null;
  standing: PersonStanding = NOTHING;
  readonly silent = new Set<ServiceName>();
  /** Which stores more than an export holds. */
  overfull: ServiceName | null = null;
  readonly erased: { readonly service: ServiceName; readonly person: PersonIds }[] = [];

  async request(
    service: ServiceName,
    { method, path, body, headers }: TransportRequest,
  ): Promise<TransportAnswer> {
    if (service === 'identity' && this.identity) {
      const answer = await inject(this.identity, { method, url: path, headers, raw: body });
      return { status: answer.status, body: answer.text };
    }
    if (this.silent.has(service)) throw new Error(`${service} does not answer`);
    const person = personIds.parse(JSON.parse(body ?? '{}'));
    if (path.endsWith('/standing')) return answered(this.standing);
    if (path.endsWith('/export') && service === this.overfull) return answered(TOO_MUCH, 413);
    if (path.endsWith('/export')) return answered({ tables: { theirs: [{ of: person.investor_profile }] } });
    if (this.standing.live) return answered({ erased: null });
    this.erased.push({ service, person });
    return answered({ erased: [{ table: 'theirs', rows: 1 }] });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('the personal data of an investor', () => {
  let stage: IdentityStage;
  let clock: FakeClock;
  let others: PlayedServices;
  let token: string;
  let profile: string;
  let bank: Record<string, unknown>;

  beforeEach(async () => {
    clock = new FakeClock(START);
    others = new PlayedServices();
    stage = await IdentityStage.start({ clock, transport: others });
    others.identity = stage.service;
    token = await stage.token();
    profile = String((await send('/v2/investor_profiles', PERSON)).body['id']);
    bank = (
      await send('/v2/bank_accounts', {
        ...{ profile, primary_account_holder_name: PERSON.name, type: 'savings' },
        ...{ account_number: NUMBER, ifsc_code: 'HDFC0001330' },
      })
    ).body;
    const folio_defaults = {
      communication_email_address: PERSON.email,
      communication_mobile_number: PERSON.mobile.number,
      payout_bank_account: bank['id'],
    };
    await send('/v2/mf_investment_accounts', {
      primary_investor: profile,
      holding_pattern: 'single',
      folio_defaults,
    });
    await send('/v2/email_addresses', { profile, email: PERSON.email });
  });
  afterEach(() => stage.end());

  const send = (url: string, body?: object, method?: 'PATCH') =>
    stage.send({ url, token, ...(body && { body }), ...(method && { method }) });
  const pathOf = (what: 'erasure' | 'export') => `/v2/investor_profiles/${profile}/${what}`;
  const request = () => send(pathOf('erasure'), {});

  /** The erasure at that time. Tokens end within the hour, so there is a new one. */
  async function at(time: Date): Promise<Record<string, unknown>> {
    clock.set(time);
    token = await stage.token();
    stage.service.dueWorker.wake();
    await rested();
    return (await send(pathOf('erasure'))).body;
  }

  const rested = () =>
    waitFor(
      async () => {
        const { dueWorker } = stage.service;
        const { due } = await dueWorker.countDue(clock.now());
        if (due > 0) dueWorker.wake();
        return due + dueWorker.inFlight === 0;
      },
      { what: 'the due work to end' },
    );

  /** Every row of identity as text. */
  async function stored(): Promise<string> {
    const names = await rows<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const texts = await Promise.all(
      names.map(({ name }) => rows<{ text: string }>(`SELECT to_jsonb(t)::text AS text FROM ${name} t`)),
    );
    return texts.flatMap((one) => one.map(({ text }) => text)).join('\n');
  }
  const rows = <T>(text: string): Promise<T[]> => stage.service.database.dataSource.query<T[]>(text);

  it('is another tenant’s: 404; and so is an erasure that was not requested', async () => {
    expect((await send(pathOf('erasure'))).status).toBe(404);
    await request();
    token = await stage.otherTenant('other');
    const answers = [await request(), await send(pathOf('erasure')), await send(pathOf('export'))];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('is erased a year after it was last processed: not the day before, and once (INV-17)', async () => {
    const first = await request();
    expect(first).toMatchObject({
      status: 202,
      body: { object: 'erasure', investor_profile: profile, state: 'scheduled', due_on: DUE, erased: [] },
    });
    expect((await request()).body).toEqual(first.body);
    expect(await at(new Date(istInstant(DUE).getTime() - 1))).toMatchObject({ state: 'scheduled' });
    expect(await at(istInstant(DUE))).toMatchObject({ state: 'running', erased: [] });
    const done = await at(new Date(istInstant(DUE).getTime() + MINUTE_MS));
    expect(done).toMatchObject({ state: 'done', done_at: `${DUE}T00:01:00.000+05:30` });
    expect(done['kept']).toEqual([expect.objectContaining({ until: null })]);
    expect(done['erased']).toEqual([
      ...STORING.map((service) => ({ service, table: 'theirs', rows: 1 })),
      { service: 'identity', table: 'investor_profiles', rows: 1 },
      { service: 'identity', table: 'bank_accounts', rows: 1 },
      { service: 'identity', table: 'mf_investment_accounts', rows: 1 },
      { service: 'identity', table: 'profile_details', rows: 1 },
    ]);
    expect(others.erased.map(({ service }) => service)).toEqual(STORING);
    expect(others.erased[0]?.person).toMatchObject({ bank_accounts: [bank['old_id']] });
  });

  it('is gone afterwards, and the investor is served no longer (INV-18)', async () => {
    expect(await stored()).toMatch(/Zqrao.*|zq@example/s);
    await request();
    await at(istInstant(DUE));
    await at(new Date(istInstant(DUE).getTime() + MINUTE_MS));
    const left = await stored();
    for (const value of [PERSON.name, PERSON.pan, PERSON.date_of_birth, PERSON.email, PERSON.mobile.number])
      expect(left).not.toContain(value);
    const shown = (await send(`/v2/investor_profiles/${profile}`)).body;
    expect(shown).toMatchObject({ id: profile, name: 'Erased', email: null, mobile: null, erased: true });
    expect((await send(`/v2/bank_accounts/${String(bank['id'])}`)).body).toMatchObject({
      ...{ account_number: 'XXXXX0000', primary_account_holder_name: 'Erased' },
    });
    const patched = await send(`/v2/investor_profiles/${profile}`, { email: PERSON.email }, 'PATCH');
    expect(patched).toMatchObject({ status: 409, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
    expect((await send('/v2/email_addresses', { profile, email: PERSON.email })).status).toBe(400);
    const facts = await inject(stage.service, {
      ...{ method: 'GET', url: `/internal/bank_accounts/${String(bank['old_id'])}?tenant=demo` },
      headers: { authorization: serviceToken('payments') },
    });
    expect(facts.status).toBe(404);
  });

  it('is kept eight years after the last order, and while something is going on', async () => {
    others.standing = { ...NOTHING, live: true, last_ordered_at: START };
    const { body } = await request();
    expect(body).toMatchObject({ due_on: '2034-12-22' });
    expect(body['kept']).toHaveLength(4);
    const eight = istInstant('2034-12-22');
    expect(await at(eight)).toMatchObject({ state: 'scheduled', due_on: '2035-12-23' });
    others.standing = { ...others.standing, live: false };
    expect(await at(istInstant('2035-12-23'))).toMatchObject({ state: 'running' });
  });

  it('is kept a year longer when it changed meanwhile, and when something began while it was running', async () => {
    await request();
    clock.set('2027-06-01T10:00:00.000+05:30');
    token = await stage.token();
    await send(`/v2/investor_profiles/${profile}`, { email: null }, 'PATCH');
    expect(await at(istInstant(DUE))).toMatchObject({ state: 'scheduled', due_on: '2028-06-01' });
    expect(await at(istInstant('2028-06-01'))).toMatchObject({ state: 'running' });
    others.standing = { ...NOTHING, live: true };
    const later = new Date(istInstant('2028-06-01').getTime() + MINUTE_MS);
    expect(await at(later)).toMatchObject({ state: 'scheduled', due_on: '2029-06-02' });
    expect((await send(`/v2/investor_profiles/${profile}`, { email: null }, 'PATCH')).status).toBe(200);
    expect(others.erased).toEqual([]);
  });

  it.each(['identity.erasure.running', 'identity.erasure.service_erased', 'identity.erasure.before_done'])(
    'is erased in full after a stop at %s, with a proof for each service',
    async (point) => {
      await request();
      const fault = setFaultHandler(point);
      clock.set(istInstant(DUE));
      stage.service.dueWorker.wake();
      if (point !== 'identity.erasure.running') {
        await rested();
        clock.advance(MINUTE_MS);
        stage.service.dueWorker.wake();
      }
      await fault.reached;
      fault.fail(new Error(`broken off at ${point}`));
      await rested();
      const later = new Date(clock.now().getTime() + MINUTE_MS);
      await at(later);
      const done = await at(new Date(later.getTime() + 2 * MINUTE_MS));
      expect(done).toMatchObject({ state: 'done' });
      const proof = (done['erased'] as { service: string }[]).map(({ service }) => service);
      expect(proof).toEqual([...STORING, ...Array<string>(4).fill('identity')]);
    },
  );

  it('is closed for a minute before it is erased, also when the process stops in between (INV-17)', async () => {
    await request();
    const fault = setFaultHandler('identity.erasure.running');
    clock.set(istInstant(DUE));
    stage.service.dueWorker.wake();
    await fault.reached;
    fault.fail(new Error('broken off'));
    await rested();
    const erasedAt = new Date(istInstant(DUE).getTime() + MINUTE_MS);
    expect(await at(new Date(erasedAt.getTime() - 1))).toMatchObject({ state: 'running', erased: [] });
    expect(others.erased).toEqual([]);
    expect(await at(erasedAt)).toMatchObject({ state: 'done' });
  });

  it('is closed at every replica, and erased once by two of them (INV-18)', async () => {
    const replica = await stage.replica();
    const accounts = (await send('/v2/mf_investment_accounts')).body['data'] as { id: string }[];
    const facts = [
      `/internal/mf_investment_accounts/${String(accounts[0]?.id)}?tenant=demo`,
      `/internal/bank_accounts/${String(bank['old_id'])}?tenant=demo`,
      `/internal/investor_profiles/${profile}?tenant=demo`,
    ];
    const statuses = async () => {
      const headers = { authorization: serviceToken('orders') };
      const asked = [stage.service, replica].flatMap((service) =>
        facts.map((url) => inject(service, { method: 'GET', url, headers })),
      );
      return new Set((await Promise.all(asked)).map(({ status }) => status));
    };
    await request();
    expect(await statuses()).toEqual(new Set([200]));
    for (const time of [istInstant(DUE), new Date(istInstant(DUE).getTime() + MINUTE_MS)]) {
      clock.set(time);
      replica.dueWorker.wake();
      await at(time);
      expect(await statuses()).toEqual(new Set([404]));
    }
    await waitFor(async () => (await send(pathOf('erasure'))).body['state'] === 'done', {
      what: 'the erasure to end',
    });
    expect(others.erased.map(({ service }) => service)).toEqual(STORING);
  });

  it('is erased in as many calls as its events need, with each row counted once', async () => {
    others.standing = {
      ...NOTHING,
      subjects: Array.from({ length: 1_000 }, (_, index) => `payment:${index}`),
    };
    await request();
    await at(istInstant(DUE));
    const done = await at(new Date(istInstant(DUE).getTime() + MINUTE_MS));
    expect(done['erased']).toContainEqual({ service: 'webhooks', table: 'theirs', rows: 3 });
    const parts = others.erased.filter(({ service }) => service === 'webhooks').map(({ person }) => person);
    // Five services answered a thousand each.
    expect(parts.map(({ subjects }) => subjects.length)).toEqual([2_000, 2_000, 1_000]);
    expect(parts.map(({ bank_accounts }) => bank_accounts.length)).toEqual([1, 0, 0]);
    expect(parts.map(({ mf_investment_accounts: ids }) => ids.length)).toEqual([1, 0, 0]);
  });

  it('is erased once the last service answers', async () => {
    await request();
    await at(istInstant(DUE));
    others.silent.add('webhooks');
    const after = new Date(istInstant(DUE).getTime() + MINUTE_MS);
    expect(await at(after)).toMatchObject({ state: 'running' });
    others.silent.clear();
    expect(await at(new Date(after.getTime() + MINUTE_MS))).toMatchObject({ state: 'done' });
  });

  it('is exported and erased by an operator, in the tenant that the operator names, and each is recorded (ADMIN-18)', async () => {
    const admin = await stage.adminToken();
    await stage.otherTenant('elsewhere');
    const ask = (what: 'export' | 'erase', by: string, tenant = 'demo') => {
      const url = `/admin/investors/${profile}/${what}`;
      return stage.send({ method: 'POST', url, token: by, headers: { 'x-tenant-id': tenant } });
    };
    const refused = [await ask('export', token), await ask('erase', token)];
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    const elsewhere = [await ask('export', admin, 'elsewhere'), await ask('erase', admin, 'elsewhere')];
    expect(elsewhere.map(({ status }) => status)).toEqual([404, 404]);
    const [byOperator, byClient] = [await ask('export', admin), await send(pathOf('export'))];
    expect([byOperator.status, byOperator.body]).toEqual([200, byClient.body]);
    const asked = await ask('erase', admin);
    expect([asked.status, asked.body]).toEqual([202, (await send(pathOf('erasure'))).body]);
    const audit = await stage.send({ url: '/admin/audit', token: admin });
    const recorded = (audit.body['data'] as { path: string; status: number }[])
      .filter(({ path, status }) => path.startsWith(`/admin/investors/${profile}`) && status < 300)
      .map(({ path, status }) => `${path.split('/').at(-1) ?? ''} ${status}`);
    expect(recorded).toEqual(['erase 202', 'export 200']);
  });

  it('is not stored for the Idempotency-Key of an export, whose repeat is read again (IDEM-12)', async () => {
    const admin = await stage.adminToken();
    const headers = { 'x-tenant-id': 'demo', 'idempotency-key': 'one-export' };
    const url = `/admin/investors/${profile}/export`;
    const ask = () => stage.send({ method: 'POST', url, token: admin, headers });
    const emails = ({ body }: Awaited<ReturnType<typeof ask>>) =>
      (
        body['data'] as { identity: { investor_profiles: { email: string | null }[] } }
      ).identity.investor_profiles.map(({ email }) => email);
    const first = await ask();
    await send(`/v2/investor_profiles/${profile}`, { email: null }, 'PATCH');
    const again = await ask();
    expect([first.status, emails(first), again.status, emails(again)]).toEqual([
      ...[200, [PERSON.email]],
      ...[200, [null]],
    ]);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(await rows(`SELECT status, body FROM idempotency_keys WHERE key = 'one-export'`)).toEqual([]);
  });

  it('is exported in one answer or not at all, and each is recorded (INV-20)', async () => {
    const whole = await send(pathOf('export'));
    expect(whole.body).toMatchObject({ object: 'investor_export', investor_profile: profile });
    const data = whole.body['data'] as Record<string, Record<string, object[]>>;
    expect(Object.keys(data)).toEqual(['identity', ...STORING]);
    expect(data['identity']).toMatchObject({
      investor_profiles: [{ pan: PERSON.pan }],
      bank_accounts: [{ account_number: 'XXXXXXXXX6543' }],
      mf_investment_accounts: [{ primary_investor: profile }],
      profile_details: [{ email: PERSON.email }],
    });
    expect(data['orders']).toEqual({ theirs: [{ of: profile }] });
    await request();
    others.overfull = 'payments';
    const overfull = await send(pathOf('export'));
    expect([overfull.status, overfull.text]).toEqual([503, expect.stringContaining('payments: Too much')]);
    others.silent.add('plans');
    const refused = [await send(pathOf('export')), await request()];
    expect(refused.map(({ status }) => status)).toEqual([503, 503]);
    const audit = await stage.send({ url: '/admin/audit', token: await stage.adminToken() });
    const recorded = (audit.body['data'] as { path: string; method: string; status: number }[])
      .filter(({ path }) => path.includes(profile))
      .map(({ path, method, status }) => `${method} ${path.split('/').at(-1) ?? ''} ${status}`);
    expect(recorded).toEqual([
      ...['POST erasure 503', 'GET export 503', 'GET export 503'],
      ...['POST erasure 202', 'GET export 200'],
    ]);
  });
});
