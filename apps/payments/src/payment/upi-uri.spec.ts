import { URI } from '../testing/payments.builder.ts';
import { upiUriFault } from './upi-uri.ts';

const expected = { tr: 'P000000001001', am: '6001.50' };

it('takes an NPCI linking URI over our reference and amount', () => {
  expect(upiUriFault(URI, expected)).toBeNull();
});

it.each([
  ['https://pay?pa=a', 'does not begin with upi://pay?'],
  [URI.replace('pn=Operator', 'pn=The Operator'), 'is not percent-encoded'],
  [URI.replace('pa=op%40bank&', ''), 'has no pa'],
  [URI.replace('P000000001001', 'P000000001002'), 'names another reference'],
  [URI.replace('6001.50', '6001.5'), 'names another amount'],
  [URI.replace('INR', 'USD'), 'names another currency'],
])('refuses %s: %s', (uri, fault) => {
  expect(upiUriFault(uri, expected)).toBe(fault);
});
