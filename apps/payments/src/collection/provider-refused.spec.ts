import { ProviderRefused, shownReason } from './answer-creation.ts';

describe('the reason of a provider, as clients see it', () => {
  it.each([
    ['Order amount less than minimum amount allowed', 'Order amount less than minimum amount allowed'],
    ['The account 0012345678 is closed', 'The account … is closed'],
    ['Card 4111 1111 1111 1111 is refused', 'Card … is refused'],
    ['asha@okaxis and asha@example.com are unknown', '… and … are unknown'],
    ['order_MkQ1abcDEF0123 is paid; see https://api.example/orders?key=1', '… is paid; see …'],
    ['a\u0000b\r\n\tc\u202ed', 'a b c d'],
    ['<b>no</b>', 'bno/b'],
    ['Minimum is 100 paise', 'Minimum is 100 paise'],
    ['', 'The payment provider gave no reason'],
    ['987654321', 'The payment provider gave no reason'],
  ])('given %j, then it reads %j', (message, shown) => {
    expect(shownReason(message)).toBe(shown);
  });

  it('given a long reason, then it is cut to 200 characters', () => {
    expect(shownReason('word '.repeat(10_000))).toHaveLength(200);
  });

  it('is a 422 PROVIDER_REFUSED with the reason', () => {
    const refused = new ProviderRefused({ failure_code: 'pg_server_error', message: 'Too little' });
    expect([refused.status, refused.code, refused.message]).toEqual([
      422,
      'PROVIDER_REFUSED',
      'The payment provider refused the request: Too little',
    ]);
  });
});
