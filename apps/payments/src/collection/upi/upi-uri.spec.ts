import { Decimal } from '@fundrail/contracts';
import { URI } from '../../testing/payments.builder.ts';
import { upiUriFault } from './upi-uri.ts';

const amount = Decimal.parse('6001.5');

describe('a URI with our own reference', () => {
  const expected = { tr: 'P000000001001', amount, payee_name: 'Operator' };

  it('is accepted as an NPCI linking URI, for any spelling of the payee’s name (FLOW-8)', () => {
    expect(upiUriFault(URI, expected)).toBeNull();
    expect(upiUriFault(URI.replace('pn=Operator', 'pn=OPERATOR%20'), expected)).toBeNull();
  });

  it.each([
    ['https://pay?pa=a', 'does not begin with upi://pay?'],
    [URI.replace('pn=Operator', 'pn=The Operator'), 'is not percent-encoded'],
    [URI.replace('pa=op%40bank&', ''), 'has no pa'],
    [URI.replace('P000000001001', 'P000000001002'), 'names another reference'],
    [URI.replace('6001.50', '6001.5'), 'names another amount'],
    [URI.replace('INR', 'USD'), 'names another currency'],
    [URI.replace('pn=Operator', 'pn=Somebody%20Else'), 'names another payee than operator_name'],
    [`${URI}&pn=Somebody%20Else`, 'has more than one pn'],
    [`${URI}&am=1.00`, 'has more than one am'],
  ])('is refused as %s: %s', (uri, fault) => {
    expect(upiUriFault(uri, expected)).toBe(fault);
  });
});

describe('a URI with a reference that the provider generated', () => {
  const expected = { tr: null, amount, payee_name: 'Operator' };
  const own = URI.replace('P000000001001', 'z5WHDd077OGFvPK').replace('6001.50', '6001.5');

  it.each([own, own.replace('6001.5', '6001.50'), URI])('is accepted: %s', (uri) => {
    expect(upiUriFault(uri, expected)).toBeNull();
  });

  it.each([
    ['javascript:alert(1)', 'does not begin with upi://pay?'],
    [own.replace('tr=z5WHDd077OGFvPK', 'tr='), 'has no tr'],
    [own.replace('z5WHDd077OGFvPK', 'x'.repeat(36)), 'names another reference'],
    [own.replace('z5WHDd077OGFvPK', '%3Cb%3E'), 'names another reference'],
    [own.replace('6001.5', '6001.51'), 'names another amount'],
    [own.replace('6001.5', '6001.500'), 'names another amount'],
    [own.replace('6001.5', '6e3'), 'names another amount'],
    [own.replace('INR', 'USD'), 'names another currency'],
    [own.replace('Operator', 'Merchant'), 'names another payee than operator_name'],
  ])('is refused as %s: %s', (uri, fault) => {
    expect(upiUriFault(uri, expected)).toBe(fault);
  });
});
