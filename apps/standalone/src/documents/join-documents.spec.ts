import { joinDocuments, type ApiDocument } from './join-documents.ts';

const document = (path: string, schemas: Record<string, unknown>): ApiDocument => ({
  openapi: '3.1.0',
  paths: { [path]: { get: {} } },
  components: { schemas },
});

describe('joining the documents of the services', () => {
  it('keeps the paths that a client may call and drops the others', () => {
    const joined = joinDocuments([document('/v2/a', {}), document('/internal/b', {})], {}, (path) =>
      path.startsWith('/v2/'),
    );
    expect(Object.keys(joined.paths)).toEqual(['/v2/a']);
  });

  it('keeps one copy of a schema that two services share', () => {
    const joined = joinDocuments(
      [document('/a', { Error: { type: 'object' } }), document('/b', { Error: { type: 'object' } })],
      {},
      () => true,
    );
    expect(joined.components).toEqual({ schemas: { Error: { type: 'object' } } });
  });

  it('throws when two services mean different things by one name', () => {
    const join = () =>
      joinDocuments(
        [document('/a', { X: { type: 'object' } }), document('/b', { X: { type: 'string' } })],
        {},
        () => true,
      );
    expect(join).toThrow('X');
  });
});
