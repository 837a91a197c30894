import { errors } from 'undici';
import { RefusedAddress } from '../target/public-lookup.ts';
import { failureReason } from './failure-reason.ts';

const coded = (code: string) => Object.assign(new Error('inside 10.0.0.7'), { code });

describe('the reason for a missing response', () => {
  it.each([
    ['ECONNREFUSED', 'the connection was refused (ECONNREFUSED)'],
    ['ENOTFOUND', 'the host does not resolve (ENOTFOUND)'],
    ['CERT_HAS_EXPIRED', 'the TLS certificate has expired (CERT_HAS_EXPIRED)'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'the TLS certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'the TLS handshake failed (ERR_SSL_WRONG_VERSION_NUMBER)'],
    ['EWHATEVER', 'no answer (EWHATEVER)'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no answer within 15000 ms'],
  ])('%s is described as: %s', (code, expected) => {
    expect(failureReason(coded(code), 15_000)).toBe(expected);
  });

  it('does not contain an error’s details of this network', () => {
    expect(failureReason(coded('EWHATEVER'), 15_000)).not.toContain('10.0.0.7');
    expect(failureReason(new Error('inside 10.0.0.7'), 15_000)).toBe('no answer');
    expect(failureReason('nonsense', 15_000)).toBe('no answer');
  });

  it('is that the response could not be parsed', () => {
    expect(failureReason(new errors.HTTPParserError('Expected HTTP/'), 15_000)).toBe(
      'the answer is not HTTP/1.1',
    );
  });

  it('is the time-out, or the refused address', () => {
    expect(failureReason(new DOMException('', 'TimeoutError'), 15_000)).toBe('no answer within 15000 ms');
    expect(failureReason(new RefusedAddress('shop.example has a private address'), 15_000)).toBe(
      'shop.example has a private address',
    );
  });
});
