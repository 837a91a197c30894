import { addExamples, type Documented } from './examples.ts';

describe('examples in a document', () => {
  const document = () => ({
    paths: {
      '/v2/things/{id}/cancel': {
        post: {
          parameters: [
            { name: 'id', in: 'path' },
            { name: 'x-tenant-id', in: 'header' },
          ],
          requestBody: { content: { 'application/json': {} } },
        },
      },
    },
  });

  it('given a request that would be accepted, then the document contains its path and its body', () => {
    const filled: Documented = document();
    addExamples(filled, {
      'POST /v2/things/{id}/cancel': { path: '/v2/things/7/cancel?x=1', body: { a: 1 } },
    });
    expect(filled.paths['/v2/things/{id}/cancel']?.['post']).toEqual({
      parameters: [
        { name: 'id', in: 'path', example: '7' },
        { name: 'x-tenant-id', in: 'header' },
      ],
      requestBody: { content: { 'application/json': { example: { a: 1 } } } },
    });
  });

  it('given none, then the operation stays as it is', () => {
    const filled: Documented = document();
    addExamples(filled, {});
    expect(filled).toEqual(document());
  });
});
