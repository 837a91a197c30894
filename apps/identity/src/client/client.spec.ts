import { grantedScope } from './client.ts';

describe('the scope of a token', () => {
  it.each([
    ['all of the client when none is asked for', 'admin', null, 'admin'],
    ['the part that is asked for', 'admin audit', 'audit', 'audit'],
    ['nothing when nothing is held and nothing asked', '', null, ''],
    ['nothing when the empty list is asked for', 'admin', '', ''],
    ['each scope once', 'admin', 'admin admin', 'admin'],
  ])('is %s', (_case, held, asked, granted) => {
    expect(grantedScope(held, asked)).toBe(granted);
  });

  it('is refused when the client does not hold what it asks for', () => {
    expect(grantedScope('', 'admin')).toBeNull();
  });
});
