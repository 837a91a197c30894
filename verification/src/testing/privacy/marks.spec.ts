import { MARKS, marksIn } from './marks.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the marks of personal data', () => {
  it.each<[string, string]>([
    ['as they are', 'sent it to zqmark@example.com'],
    ['in capitals', 'ZQMARK@EXAMPLE.COM'],
    ['as bytes', `\\x${Buffer.from(MARKS.email).toString('hex')}`],
    ['escaped in an address', `GET /x?email=${encodeURIComponent(MARKS.email)}`],
    ['in base64', base64(MARKS.email)],
    ['in base64, one byte after its start', base64(`:${MARKS.email}:`)],
    ['in base64, two bytes after its start', base64(`a:${MARKS.email}`)],
    ['in base64 for addresses', Buffer.from(`{"email":"${MARKS.email}"}`).toString('base64url')],
  ])('are found %s', (_how, text) => expect(marksIn(text)).toEqual(['email']));

  it.each(['zqmark+nameson', 'Zqmark%20Nameson'])('are found where a space is written as in %s', (text) =>
    expect(marksIn(text)).toEqual(['name']),
  );

  it.each(['1937-02-28', 'born on 28/02/1937', '"1937-02-27T18:30:00.000Z"'])(
    'are found where a day is written as in %s',
    (text) => expect(marksIn(text)).toEqual(['date_of_birth']),
  );

  it('are not found where there are none', () =>
    expect(marksIn(`${base64('somebody@example.com')} 12`)).toEqual([]));
});
