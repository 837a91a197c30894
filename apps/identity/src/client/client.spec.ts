import { grantedScope } from './client.ts';

describe('the scope of a token (AUTH-6)', () => {
  it.each([
    ['all of the client when none is requested', 'admin', null, 'admin'],
    ['the part that is requested', 'admin audit', 'audit', 'audit'],
    ['nothing when the client has none and requests none', '', null, ''],
    ['nothing when the empty list is requested', 'admin', '', ''],
    ['each scope once', 'admin', 'admin admin', 'admin'],
  ])('is %s', (_case, held, asked, granted) => {
    expect(grantedScope(held, asked)).toBe(granted);
  });

  it('is refused when the client does not have the requested scope', () => {
    expect(grantedScope('', 'admin')).toBeNull();
  });
});
