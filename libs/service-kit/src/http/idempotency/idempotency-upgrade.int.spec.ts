import { sql } from '@fundrail/persistence';
import { createHash } from 'node:crypto';
import { connectAlone } from '../../db/open-database.ts';
import type { RunningService } from '../../index.ts';
import { startNotes, type NotesStage } from '../../testing/start-notes.ts';

const readHash = sql('test.read_hash', 'SELECT request_hash FROM idempotency_keys WHERE key = $1');
const bodyOf = (key: string) => JSON.stringify({ words: key, amount: 5 });

/** The hash of the release before keyed hashes. */
const hashOfBefore = (key: string) =>
  createHash('sha256')
    .update(`POST /v2/notes\n${bodyOf(key)}`)
    .digest('base64url');

describe('Idempotency-Key at replicas of two releases', () => {
  let stage: NotesStage;
  let token: string;
  beforeAll(async () => {
    stage = await startNotes();
    token = await stage.issuer.header();
  });
  afterAll(() => stage.end());

  const replica = (env: Readonly<Record<string, string>> = {}) =>
    stage.replica({ env, listen: false, transport: stage.issuer });
  const send = (service: RunningService, key: string, body?: object) =>
    service.fastify.inject({
      method: 'POST',
      url: '/v2/notes',
      headers: { authorization: token, 'idempotency-key': key, 'content-type': 'application/json' },
      payload: body ? JSON.stringify(body) : bodyOf(key),
    });
  const storedHash = async (key: string) =>
    (await stage.service.database.query<{ request_hash: string }>(readHash, [key]))[0]?.request_hash;

  it('stores a hash that the previous release recognises while one of its replicas is connected', async () => {
    const before = await connectAlone(stage.url, 'fundrail-orders 12345678');
    const beside = await replica();
    const first = await send(beside, 'upgrade');
    expect(await storedHash('upgrade')).toBe(hashOfBefore('upgrade'));
    const second = await send(stage.service, 'upgrade');
    expect([second.payload, second.headers['idempotent-replayed']]).toEqual([first.payload, 'true']);
    await before.end();
    await beside.stop();
  });

  it('stores a keyed hash of what it refuses, with DATA_ENCRYPTION_FORMAT=v1 too', async () => {
    const back = await replica({ DATA_ENCRYPTION_FORMAT: 'v1' });
    const refused = (service: RunningService) => send(service, 'refused', { amount: -1 });
    const first = await refused(back);
    expect([first.statusCode, await storedHash('refused')]).toEqual([400, expect.stringMatching(/^hmac\./)]);
    for (const service of [back, stage.service]) {
      const again = await refused(service);
      expect([again.payload, again.headers['idempotent-replayed']]).toEqual([first.payload, 'true']);
    }
    await back.stop();
  });

  it('stores the same with DATA_ENCRYPTION_FORMAT=v1, and still recognises keyed hashes', async () => {
    const keyed = await send(stage.service, 'keyed');
    expect(await storedHash('keyed')).toMatch(/^hmac\./);
    const back = await replica({ DATA_ENCRYPTION_FORMAT: 'v1' });
    await send(back, 'the way back');
    expect(await storedHash('the way back')).toBe(hashOfBefore('the way back'));
    const second = await send(back, 'keyed');
    expect([second.payload, second.headers['idempotent-replayed']]).toEqual([keyed.payload, 'true']);
    await back.stop();
  });
});
