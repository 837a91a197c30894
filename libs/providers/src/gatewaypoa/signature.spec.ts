import { BadSignature } from '../answer.ts';
import { SIGNATURE_HEADER, signCallback, verifyCallback } from './signature.ts';

const NOW = new Date('2026-12-21T10:00:00+05:30');
const BODY = '{"event_id":"gpe_1"}';
const signed = (at = NOW, secret = 'secret') => ({ [SIGNATURE_HEADER]: signCallback(secret, BODY, at) });
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe('the signature of a gatewaypoa callback', () => {
  it('given a callback signed with our secret, when it is checked, then it passes', () => {
    expect(() => verifyCallback('secret', signed(), BODY, NOW)).not.toThrow();
  });

  it('given two signatures while the secret is rotated, when one of them fits, then it passes', () => {
    const old = signed(NOW, 'old')[SIGNATURE_HEADER];
    const both = `${old},${signed()[SIGNATURE_HEADER].split(',')[1] ?? ''}`;
    expect(() => verifyCallback('secret', { [SIGNATURE_HEADER]: both }, BODY, NOW)).not.toThrow();
  });

  it.each([
    ['another secret', signed(NOW, 'other'), BODY],
    ['a changed body', signed(), `${BODY} `],
    ['a time stamp of 6 minutes ago', signed(minutesAgo(6)), BODY],
    ['a time stamp 6 minutes ahead', signed(minutesAgo(-6)), BODY],
    ['no header', {}, BODY],
    ['two headers', { [SIGNATURE_HEADER]: ['t=1,v1=2', 't=1,v1=2'] }, BODY],
    ['a header without a signature', { [SIGNATURE_HEADER]: 't=1798000000' }, BODY],
    ['a signature of another length', { [SIGNATURE_HEADER]: `t=${NOW.getTime() / 1000},v1=ab` }, BODY],
  ])('given %s, when it is checked, then it is refused', (_, headers, body) => {
    expect(() => verifyCallback('secret', headers, body, NOW)).toThrow(BadSignature);
  });

  it('given a time stamp of 4 minutes ago, when it is checked, then it passes', () => {
    expect(() => verifyCallback('secret', signed(minutesAgo(4)), BODY, NOW)).not.toThrow();
  });
});
