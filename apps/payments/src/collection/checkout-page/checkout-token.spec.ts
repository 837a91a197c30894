import { SANDBOX_SECRETS } from '@fundrail/service-kit';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { paymentsConfig } from '../../config.ts';
import { CheckoutTokens } from './checkout-token.ts';

const ONE = 'first secret of at least 32 characters';
const TWO = 'second secret of at least 32 characters';
const config = paymentsConfig.useFactory({
  ...SANDBOX_SECRETS,
  SANDBOX: 'true',
  PUBLIC_BASE_URL: 'https://pay.example.com/',
  GATEWAYPOA_BASE_URL: 'http://127.0.0.1:1',
  SDKVENDOR_BASE_URL: 'http://127.0.0.1:1',
});
const tokensUnder = (secrets: string) => new CheckoutTokens(new DataCipher(secrets), config);

describe('checkout tokens', () => {
  const tokens = tokensUnder(ONE);
  const token = tokens.checkoutToken(1042);

  it('given a payment, when its token is read, then it is that payment, and the same token every time', () => {
    expect(tokens.paymentOfToken(token)).toBe(1042);
    expect(tokens.checkoutToken(1042)).toBe(token);
    expect(token).toMatch(/^1042\.[A-Za-z0-9_-]{43}$/);
  });

  it('given a payment, when its address is built, then it is that of the hosted page (PAGE-1)', () => {
    expect(tokens.tokenUrl(1042)).toBe(
      `https://pay.example.com/api/pg/payments/netbanking/sdkvendor?txnId=${token}&txnType=payment`,
    );
  });

  const signature = token.slice('1042.'.length);
  const swapped = signature.startsWith('A') ? 'B' : 'A';
  it.each<[string, string]>([
    ['nothing', ''],
    ['a text that is not a token', 'hello'],
    ['an id alone', '1042'],
    ['an id without a signature', '1042.'],
    ['a signature alone', `.${signature}`],
    ["another payment's id before the signature", `1043.${signature}`],
    ['the same id written otherwise', `01042.${signature}`],
    ['a number that is not an id', `0.${signature}`],
    ['a changed first character', `1042.${swapped}${signature.slice(1)}`],
    ['a cut signature', token.slice(0, -1)],
    ['more behind it', `${token}A`],
    ['a line end behind it', `${token}\n`],
    ['an id larger than any', `${'9'.repeat(30)}.${signature}`],
    ['a very long text', `1042.${'A'.repeat(100_000)}`],
  ])('given %s, when it is read, then it belongs to no payment', (_, text) => {
    expect(tokens.paymentOfToken(text)).toBeNull();
  });

  it('given every single character changed, when the token is read, then it belongs to no payment', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'x' ? 'y' : 'x';
      expect(tokens.paymentOfToken(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
    }
  });

  it('given a token of another installation, when it is read, then it belongs to no payment', () => {
    expect(tokensUnder(TWO).paymentOfToken(token)).toBeNull();
  });

  it('given a new key before or behind the old one, when tokens of both are read, then they are the payment’s', () => {
    const [before, behind] = [tokensUnder(`${TWO},${ONE}`), tokensUnder(`${ONE},${TWO}`)];
    const made = [token, before.checkoutToken(1042)];
    expect(made.map((one) => before.paymentOfToken(one))).toEqual([1042, 1042]);
    expect(made.map((one) => behind.paymentOfToken(one))).toEqual([1042, 1042]);
  });

  it('given a new key in front, when a token is created, then it is valid after the old key is gone', () => {
    const made = tokensUnder(`${TWO},${ONE}`).checkoutToken(1042);
    expect(tokensUnder(TWO).paymentOfToken(made)).toBe(1042);
    expect(tokensUnder(TWO).paymentOfToken(token)).toBeNull();
  });
});
