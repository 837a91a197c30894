import { fromUpstream, parseJson, stringifyJson, toUpstream, type Compatibility } from '@fundrail/contracts';
import Fastify, { type FastifyInstance } from 'fastify';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { refuseAsUpstream, storedAnswer, translateForUpstream } from './compatibility.hook.ts';
import { SchemaPipe } from './schema.pipe.ts';
import { widerForUpstream } from './upstream-schema.ts';

const GOLDEN = new URL('../../../contracts/src/events/golden/', import.meta.url);
const BODIES = readdirSync(GOLDEN).map((name) =>
  stringifyJson(parseJson(readFileSync(new URL(name, GOLDEN), 'utf8'))),
);

/** A server that answers what it received, with or without the translation, for a caller of that compatibility. */
function echo(compatibility: Compatibility | null | 'no caller', isTranslating: boolean) {
  const seen: { parsed: unknown; handled: unknown; query: unknown } = { parsed: 0, handled: 1, query: 1 };
  const fastify = Fastify();
  fastify.decorateRequest('caller', null);
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    done(null, (seen.parsed = parseJson(String(text))));
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (compatibility !== 'no caller') Object.assign(request, { caller: { compatibility } });
    done();
  });
  if (isTranslating) translateForUpstream(fastify);
  fastify.post('/', (request) => {
    Object.assign(seen, { handled: request.body, query: request.query });
    return request.body;
  });
  fastify.post('/stored', (request, reply) => reply.send(storedAnswer(request, stringifyJson(request.body))));
  return { fastify, seen };
}

const post = async (fastify: FastifyInstance, payload: string, url = '/') =>
  (await fastify.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } }))
    .body;

describe('the translation for clients of the upstream interface (COMP-1)', () => {
  it.each([null, 'no caller'] as const)(
    'is none for a caller with %s: the same body, and byte by byte the same answers',
    async (compatibility) => {
      const [with_, without] = [echo(compatibility, true), echo(compatibility, false)];
      for (const body of BODIES) {
        expect(await post(with_.fastify, body, '/?provider_name=ONDC')).toBe(
          await post(without.fastify, body),
        );
        expect(with_.seen.handled).toBe(with_.seen.parsed);
        expect(with_.seen.query).toEqual({ provider_name: 'ONDC' });
        expect(await post(with_.fastify, body, '/stored')).toBe(body);
      }
    },
  );

  it('reads a body and a query in our names, and answers in theirs, also what is stored', async () => {
    const { fastify, seen } = echo('upstream', true);
    for (const body of BODIES) {
      const theirs = stringifyJson(toUpstream(parseJson(body), 'upstream'));
      expect(await post(fastify, theirs, '/?provider_name=BILLDESK&type=purchase')).toBe(theirs);
      expect(stringifyJson(seen.handled)).toBe(stringifyJson(fromUpstream(parseJson(theirs))));
      expect(seen.query).toEqual({ provider_name: 'SDKVENDOR', type: 'fresh' });
      expect(await post(fastify, theirs, '/stored')).toBe(theirs);
    }
  });

  it.each([
    [null, 'Validation failed. 1 error(s)'],
    ['upstream', { type: 'theirs' }],
  ] as const)(
    'checks a body of a caller with %s by its own schema (COMP-8)',
    async (compatibility, answer) => {
      const [ours, theirs] = [
        z.strictObject({ type: z.literal('ours') }),
        z.strictObject({ type: z.string() }),
      ];
      const schema = widerForUpstream(ours, theirs);
      const { fastify } = echo(compatibility, true);
      fastify.post('/checked', (request) =>
        new SchemaPipe().transform(request.body, { type: 'body', schema }),
      );
      const received = JSON.parse(await post(fastify, '{"type":"theirs"}', '/checked')) as {
        message?: string;
      };
      expect(received.message ?? received).toEqual(answer);
      expect(JSON.parse(await post(fastify, '{"type":"ours"}', '/checked'))).toEqual({ type: 'ours' });
    },
  );

  it('sends a refusal that an Idempotency-Key has kept as it was sent at first (COMP-9)', async () => {
    const { fastify } = echo('upstream', true);
    refuseAsUpstream(fastify);
    const kept = '{"error":{"status":400,"code":"UPI_LIMIT_EXCEEDED","message":"why"}}';
    fastify.get('/again', (request, reply) => reply.code(422).send(storedAnswer(request, kept)));
    const { statusCode, body } = await fastify.inject('/again');
    expect([statusCode, body]).toEqual([400, kept]);
  });

  it.each([
    [409, 'PAYMENT_MISSING', 400],
    [422, 'UPI_LIMIT_EXCEEDED', 400],
    [404, 'NOT_FOUND', 404],
    [409, 'IDEMPOTENCY_KEY_IN_USE', 409],
    [422, 'IDEMPOTENCY_KEY_REUSED', 422],
  ])('sends a %s %s as %s, and to other callers as it is (COMP-9)', async (ours, code, theirs) => {
    for (const [compatibility, sent] of [
      ['upstream', theirs],
      [null, ours],
    ] as const) {
      const { fastify } = echo(compatibility, true);
      const seenByKey: number[] = [];
      fastify.addHook('onSend', (_request, reply, _payload, done) => {
        seenByKey.push(reply.statusCode);
        done();
      });
      refuseAsUpstream(fastify);
      fastify.get('/refused', (_request, reply) =>
        reply.code(ours).send({ error: { status: ours, code, message: 'why' } }),
      );
      const { statusCode, body } = await fastify.inject('/refused');
      expect([statusCode, JSON.parse(body)]).toEqual([
        sent,
        { error: { status: sent, code, message: 'why' } },
      ]);
      expect(seenByKey).toEqual([ours]);
    }
  });
});
