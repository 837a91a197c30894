import { createHash } from 'node:crypto';
import { sql } from '@fundrail/persistence';
import { interference, NOTES, notesService } from '../../testing/notes.service.ts';
import { keysCommand } from '../../bootstrap/keys-command.ts';
import type { RunningService } from '../../index.ts';
import { startNotes, type NotesStage } from '../../testing/start-notes.ts';

const ageKey = sql(
  'test.age_key',
  `UPDATE idempotency_keys SET created_at = created_at - $2 * interval '1 ms' WHERE key = $1`,
);
const jump = sql('test.jump', 'UPDATE business_clock SET offset_ms = $1');
const isAhead = sql(
  'test.is_ahead',
  'SELECT created_at > clock_timestamp() AS is_ahead FROM idempotency_keys WHERE key = $1',
);
const endHold = sql(
  'test.end_hold',
  `UPDATE idempotency_keys SET held_until = clock_timestamp() - interval '1 ms' WHERE key = $1 RETURNING key`,
);
const hideHolder = sql(
  'test.hide_holder',
  `UPDATE idempotency_keys SET holder = 'another request' WHERE key = $1 RETURNING key`,
);
const readHash = sql('test.read_hash', 'SELECT request_hash FROM idempotency_keys WHERE key = $1');
const writeHash = sql('test.write_hash', 'UPDATE idempotency_keys SET request_hash = $2 WHERE key = $1');
const readKey = sql('test.read_key', 'SELECT status, body, resource_id FROM idempotency_keys WHERE key = $1');

interface Key {
  status: number | null;
  body: string | null;
  resource_id: string | null;
}

describe('Idempotency-Key (IDEM-1 to IDEM-9)', () => {
  let stage: NotesStage;
  let token: string;
  beforeAll(async () => {
    stage = await startNotes();
    token = await stage.issuer.header();
  });
  afterEach(() => {
    interference.beforeEffect = null;
    interference.beforeCommit = null;
  });
  afterAll(() => stage.end());

  const post = (key: string, words = key, headers: Record<string, string> = {}, url = '/v2/notes') =>
    stage.service.fastify.inject({
      method: 'POST',
      url,
      headers: {
        authorization: token,
        'idempotency-key': key,
        'content-type': 'application/json',
        ...headers,
      },
      payload: JSON.stringify({ words, amount: 5 }),
    });
  const notes = (words: string) => stage.service.database.manager.countBy(NOTES.entity, { words });
  const keyRow = async (key: string) => (await stage.service.database.query<Key>(readKey, [key]))[0];
  const codeOf = (answer: { json: () => unknown }) =>
    (answer.json() as { error: { code: string } }).error.code;

  it('has one effect for 50 concurrent requests, and gives all the same answer in the end', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('fifty')));
    const last = await post('fifty');
    const good = answers.filter((answer) => answer.statusCode === 200);
    const others = answers.filter((answer) => answer.statusCode !== 200);
    expect(good.length).toBeGreaterThan(0);
    expect(new Set([...good, last].map((answer) => answer.payload)).size).toBe(1);
    expect(others.map(codeOf).filter((code) => code !== 'IDEMPOTENCY_KEY_IN_USE')).toEqual([]);
    expect(await notes('fifty')).toBe(1);
  });

  it('repeats the stored status and body, and marks the replay', async () => {
    const first = await post('again');
    const second = await post('again');
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect([second.statusCode, second.payload, second.headers['idempotent-replayed']]).toEqual([
      200,
      first.payload,
      'true',
    ]);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
  });

  it.each([
    ['body', () => post('other', 'another body')],
    ['path', () => post('other', 'other', {}, '/v2/notes/7/boom')],
  ])('refuses the key with another %s', async (_what, request) => {
    await post('other');
    const answer = await request();
    expect([answer.statusCode, codeOf(answer)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('is per tenant', async () => {
    await post('shared', 'mine');
    const answer = await post('shared', 'theirs', {
      authorization: await stage.issuer.header({ tenant: 'other' }),
    });
    expect(answer.statusCode).toBe(200);
  });

  it.each(['', 'k'.repeat(256), 'a\tb'])(
    'refuses a key that is too short, too long or unprintable',
    async (key) => {
      const answer = await post(key);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: { errors: [{ field: 'Idempotency-Key' }] } });
    },
  );

  it('stores a 400, and frees the key on a 500', async () => {
    const bad = await post('bad', '');
    expect((await post('bad', '')).headers['idempotent-replayed']).toBe('true');
    expect(bad.statusCode).toBe(400);
    expect((await post('boom', 'boom', {}, '/v2/notes/7/boom')).statusCode).toBe(500);
    expect(await keyRow('boom')).toBeUndefined();
  });

  it('answers and stores only part of a body with many unknown fields', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 1_900 }, (_, at) => [`${'x'.repeat(90)}${at}`, 1]),
    );
    const unknown = () =>
      stage.service.fastify.inject({
        method: 'POST',
        url: '/v2/notes',
        headers: { authorization: token, 'idempotency-key': 'unknown', 'content-type': 'application/json' },
        payload: JSON.stringify({ words: 'a', amount: 5, ...fields }),
      });
    const answer = await unknown();
    expect(answer.json()).toMatchObject({ error: { message: 'Validation failed. 1900 error(s)' } });
    expect(answer.json<{ error: { errors: unknown[] } }>().error.errors).toHaveLength(20);
    expect((await unknown()).payload).toBe(answer.payload);
    expect((await keyRow('unknown'))?.body?.length).toBeLessThan(8_192);
  });

  it('stores no readable body (IDEM-10)', async () => {
    await post('private', 'my secret words');
    const row = await keyRow('private');
    expect(row?.status).toBe(200);
    expect(row?.body).not.toContain('secret');
  });

  it('recognises a key of today even when the clock of the sandbox was moved far ahead (CONV-32)', async () => {
    const first = await post('jumped');
    await stage.service.database.query(jump, [400 * 86_400_000]);
    const second = await post('jumped');
    const afterJump = await post('after the jump');
    await stage.service.database.query(jump, [0]);
    expect([second.payload, second.headers['idempotent-replayed']]).toEqual([first.payload, 'true']);
    expect(afterJump.statusCode).toBe(200);
    const [row] = await stage.service.database.query<{ is_ahead: boolean }>(isAhead, ['after the jump']);
    expect(row).toEqual({ is_ahead: false });
  });

  it('stores no hash that can be computed without the secret', async () => {
    await post('hashed', 'account 50100012345678');
    const [row] = await stage.service.database.query<{ request_hash: string }>(readHash, ['hashed']);
    const body = JSON.stringify({ words: 'account 50100012345678', amount: 5 });
    for (const text of [`POST /v2/notes\n${body}`, body, `POST${body}`, `POST /v2/notes ${body}`])
      expect(row?.request_hash).not.toContain(createHash('sha256').update(text).digest('base64url'));
  });

  it('recognises a request when the encryption key was exchanged meanwhile', async () => {
    const [before, after] = ['the encryption key before in a test', 'the encryption key after in a test'];
    const withKey = (DATA_ENCRYPTION_KEY: string) => ({ env: { DATA_ENCRYPTION_KEY } });
    const own = await startNotes(withKey(`${before},${after}`));
    const send = async ({ fastify }: RunningService) => {
      const headers = { authorization: await own.issuer.header(), 'idempotency-key': 'exchanged' };
      return fastify.inject({
        method: 'POST',
        url: '/v2/notes',
        headers,
        payload: { words: 'w', amount: 5 },
      });
    };
    const first = await send(own.service);
    const env = { SANDBOX: 'true', ORDERS_DATABASE_URL: own.url, DATA_ENCRYPTION_KEY: `${after},${before}` };
    await keysCommand(notesService, ['rotate'], env, () => undefined);
    const replica = await own.replica({ ...withKey(after), listen: false, transport: own.issuer });
    const second = await send(replica);
    expect([second.payload, second.headers['idempotent-replayed']]).toEqual([first.payload, 'true']);
    await replica.stop();
    await own.end();
  });

  it('recognises a request that the previous release has hashed without a key', async () => {
    const first = await post('unkeyed');
    const body = JSON.stringify({ words: 'unkeyed', amount: 5 });
    const hash = createHash('sha256').update(`POST /v2/notes\n${body}`).digest('base64url');
    await stage.service.database.query(writeHash, ['unkeyed', hash]);
    const second = await post('unkeyed');
    expect([second.payload, second.headers['idempotent-replayed']]).toEqual([first.payload, 'true']);
    expect((await post('unkeyed', 'other words')).statusCode).toBe(422);
  });

  it('deletes a key after 24 h of wall time (CONV-32)', async () => {
    await post('old');
    await stage.service.database.query(ageKey, ['old', 86_400_001]);
    const answer = await post('old');
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(await notes('old')).toBe(2);
  });

  it('gives the key of a dead request to the next one, with the same resource (CLAIM-1)', async () => {
    // given a request that drew its id, and its process died without freeing the key
    interference.beforeEffect = async () => {
      await stage.service.database.query(hideHolder, ['died']);
      throw new Error('the process dies');
    };
    await post('died');
    interference.beforeEffect = null;
    const drawn = (await keyRow('died'))?.resource_id;
    // when the client retries, before and after the hold has ended
    const tooEarly = await post('died');
    await stage.service.database.query(endHold, ['died']);
    const answer = await post('died');
    // then there is one effect, under the id that was drawn first
    expect(codeOf(tooEarly)).toBe('IDEMPOTENCY_KEY_IN_USE');
    expect(answer.json()).toMatchObject({ id: drawn });
    expect(await notes('died')).toBe(1);
  });

  it('answers "in use" immediately while the first request is committing', async () => {
    const stalled = Promise.withResolvers<undefined>();
    const isStalled = Promise.withResolvers<undefined>();
    interference.beforeCommit = () => (isStalled.resolve(undefined), stalled.promise);
    const first = post('committing');
    await isStalled.promise;
    await stage.service.database.query(readKey, ['committing']);
    const second = await post('committing');
    stalled.resolve(undefined);
    expect([second.statusCode, (await first).statusCode]).toEqual([409, 200]);
  });

  it('rolls back the effect of a request that wakes up after it was taken over', async () => {
    // given a request that stalls before its transaction, and another one that takes its key meanwhile
    interference.beforeEffect = async () => {
      await stage.service.database.query(hideHolder, ['stolen']);
    };
    const answer = await post('stolen');
    expect([answer.statusCode, codeOf(answer), answer.headers['retry-after']]).toEqual([
      409,
      'IDEMPOTENCY_KEY_IN_USE',
      '1',
    ]);
    expect(await notes('stolen')).toBe(0);
    expect(await keyRow('stolen')).toMatchObject({ status: null });
  });

  it('completes the key together with the effect, and never without it', async () => {
    interference.beforeCommit = () => Promise.reject(new Error('crash between effect and completion'));
    expect((await post('half')).statusCode).toBe(500);
    expect([await notes('half'), await keyRow('half')]).toEqual([0, undefined]);
  });

  it('completes in a hot path statement, or makes it fail', async () => {
    const complete = sql(
      'test.complete',
      `SELECT complete_idempotency_key($1, $2, $3, $4::smallint, $5) AS done`,
    );
    const values = ['demo', 'again', 'another request', 200, '{}'];
    await expect(stage.service.database.query(complete, values)).rejects.toMatchObject({ code: 'FR001' });
    expect(await stage.service.database.query(complete, [null, null, null, null, null])).toEqual([
      { done: null },
    ]);
  });
});
