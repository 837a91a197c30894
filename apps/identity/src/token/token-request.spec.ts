import { readTokenRequest } from './token-request.ts';

const grant = 'grant_type=client_credentials';
const good = `${grant}&client_id=demo&client_secret=demo-secret`;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a request for a token', () => {
  it('reads the client from form fields, and ignores unknown ones (AUTH-1)', () => {
    expect(readTokenRequest(undefined, `${good}&audience=x`)).toEqual({
      client_id: 'demo',
      client_secret: 'demo-secret',
      scope: null,
    });
  });

  it.each([
    ['plain', 'demo:demo-secret', 'demo', 'demo-secret'],
    ['form-encoded', 'de%3Amo:a+b%25', 'de:mo', 'a b%'],
    ['with a colon in the secret', 'demo:a:b', 'demo', 'a:b'],
    ['with a bare percent sign', 'demo:100%', 'demo', '100%'],
  ])('reads the client from HTTP Basic, %s (AUTH-1)', (_case, text, id, secret) => {
    const request = readTokenRequest(basic(text), grant);
    expect(request).toMatchObject({ client_id: id, client_secret: secret });
  });

  it.each([
    ['no grant type', undefined, 'client_id=demo&client_secret=demo-secret', 'invalid_request'],
    ['an empty grant type', undefined, 'grant_type=&client_id=demo&client_secret=x', 'invalid_request'],
    ['no body', undefined, '', 'invalid_request'],
    ['a JSON body', undefined, '{"grant_type":"client_credentials"}', 'invalid_request'],
    [
      'another grant type',
      undefined,
      'grant_type=password&client_id=demo&client_secret=x',
      'unsupported_grant_type',
    ],
    ['a field twice', undefined, `${good}&client_id=other`, 'invalid_request'],
    ['no secret', undefined, `${grant}&client_id=demo&client_secret=`, 'invalid_client'],
    ['two ways of authentication', basic('demo:demo-secret'), good, 'invalid_request'],
    ['a header that is not Basic', 'Bearer abc', grant, 'invalid_client'],
    ['Basic without a colon', basic('demo'), grant, 'invalid_client'],
  ])('is refused with %s', (_case, authorization, form, code) => {
    expect(() => readTokenRequest(authorization, form)).toThrow(expect.objectContaining({ code }));
  });
});
