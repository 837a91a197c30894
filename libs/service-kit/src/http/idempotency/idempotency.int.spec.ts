import { sql } from '@fundrail/messaging';
import { interference, NoteRow } from '../../testing/notes.service.ts';
import { startNotes, type NotesStage } from '../../testing/start-notes.ts';

const ageKey = sql(
  'test.age_key',
  `UPDATE idempotency_keys SET created_at = created_at - $2 * interval '1 ms' WHERE key = $1`,
);
const endHold = sql(
  'test.end_hold',
  `UPDATE idempotency_keys SET held_until = clock_timestamp() - interval '1 ms' WHERE key = $1 RETURNING key`,
);
const hideHolder = sql(
  'test.hide_holder',
  `UPDATE idempotency_keys SET holder = 'another request' WHERE key = $1 RETURNING key`,
);
const readKey = sql('test.read_key', 'SELECT status, body, resource_id FROM idempotency_keys WHERE key = $1');

interface Key {
  status: number | null;
  body: string | null;
  resource_id: string | null;
}

describe('Idempotency-Key (contract §0.2)', () => {
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
  const notes = (words: string) => stage.service.database.manager.countBy(NoteRow, { words });
  const keyRow = async (key: string) => (await stage.service.database.query<Key>(readKey, [key]))[0];
  const codeOf = (answer: { json: () => unknown }) =>
    (answer.json() as { error: { code: string } }).error.code;

  it('makes one effect of 50 concurrent requests, and answers all the same in the end', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('fifty')));
    const last = await post('fifty');
    const good = answers.filter((answer) => answer.statusCode === 200);
    const others = answers.filter((answer) => answer.statusCode !== 200);
    expect(good.length).toBeGreaterThan(0);
    expect(new Set([...good, last].map((answer) => answer.payload)).size).toBe(1);
    expect(others.map(codeOf).filter((code) => code !== 'IDEMPOTENCY_KEY_IN_USE')).toEqual([]);
    expect(await notes('fifty')).toBe(1);
  });

  it('answers again with the stored status and body, and says so', async () => {
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

  it('keeps no readable body', async () => {
    await post('private', 'my secret words');
    const row = await keyRow('private');
    expect(row?.status).toBe(200);
    expect(row?.body).not.toContain('secret');
  });

  it('forgets after 24 h of business time', async () => {
    await post('old');
    await stage.service.database.query(ageKey, ['old', 86_400_001]);
    const answer = await post('old');
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(await notes('old')).toBe(2);
  });

  it('gives the key of a died request to the next one, with the same resource', async () => {
    // given a request that drew its id and whose process died: nobody frees the key
    interference.beforeEffect = async () => {
      await stage.service.database.query(hideHolder, ['died']);
      throw new Error('the process dies');
    };
    await post('died');
    interference.beforeEffect = null;
    const drawn = (await keyRow('died'))?.resource_id;
    // when the client asks again, before and after the hold has ended
    const tooEarly = await post('died');
    await stage.service.database.query(endHold, ['died']);
    const answer = await post('died');
    // then there is one effect, under the id that was drawn first
    expect(codeOf(tooEarly)).toBe('IDEMPOTENCY_KEY_IN_USE');
    expect(answer.json()).toMatchObject({ id: drawn });
    expect(await notes('died')).toBe(1);
  });

  it('answers "in use" at once while the first request is committing, and never waits for it', async () => {
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

  it('has the key completed whenever the effect is there, and never without it', async () => {
    interference.beforeCommit = () => Promise.reject(new Error('crash between effect and completion'));
    expect((await post('half')).statusCode).toBe(500);
    expect([await notes('half'), await keyRow('half')]).toEqual([0, undefined]);
  });

  it('completes in a hot path statement, or makes it fail', async () => {
    const complete = sql(
      'test.complete',
      `SELECT complete_idempotency_key($1, $2, $3, $4::smallint, $5) AS done`,
    );
    const values = ['demo', 'again', 'nobody', 200, '{}'];
    await expect(stage.service.database.query(complete, values)).rejects.toMatchObject({ code: 'FR001' });
    expect(await stage.service.database.query(complete, [null, null, null, null, null])).toEqual([
      { done: null },
    ]);
  });
});
