import { Decimal, inRupees } from '@fundrail/contracts';
import { registerPayment, type ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { notIssuedPage, requestPage, unknownPage } from './upi-page.view.ts';

const NOW = new Date('2026-12-21T10:00:00+05:30');
const EXPIRES = '2026-12-21T05:00:00.000Z';
const request = {
  reference: 'P42',
  payment_id: 42,
  tenant: 'demo',
  amount_paise: 10_000_050,
  currency: 'INR',
  payer: null,
} as const;
const payment = (parts: Partial<ProviderPaymentRow> = {}): ProviderPaymentRow => ({
  ...registerPayment({ ...request, expires_at: EXPIRES }, '<b>Ops</b> & Co', null, NOW),
  ...parts,
});
const show = (row: ProviderPaymentRow, parts = {}) =>
  requestPage(row, { now: NOW, qr: '<svg></svg>', ignored: false, ...parts });

describe("the investor's UPI app", () => {
  it.each([
    ['5', '₹5.00'],
    ['100', '₹100.00'],
    ['1000.5', '₹1,000.50'],
    ['100000', '₹1,00,000.00'],
    ['12345678.99', '₹1,23,45,678.99'],
  ])('given %s, when it is printed, then it is %s', (amount, printed) => {
    expect(inRupees(Decimal.parse(amount))).toBe(printed);
  });

  it('given a waiting request, when it is shown, then it has the amount, the QR code and three buttons', () => {
    const page = show(payment());
    expect(page).toContain('₹1,00,000.50');
    expect(page).toContain('<svg></svg>');
    expect(page.match(/name="action" value="(approve|decline|ignore)"/g)).toHaveLength(3);
  });

  it("given a payee's name with markup, when it is shown, then it is text", () => {
    expect(show(payment())).not.toContain('<b>Ops');
    expect(show(payment())).toContain('&lt;b&gt;Ops&lt;/b&gt; &amp; Co');
  });

  it.each<[string, ProviderPaymentRow, string]>([
    ['paid', payment({ status: 'captured', provider_reference: '000000100001' }), '000000100001'],
    ['declined', payment({ status: 'declined', failure_code: 'insufficient_funds' }), 'insufficient_funds'],
    ['withdrawn', payment({ status: 'cancelled' }), 'Request closed'],
  ])('given a request that is %s, when it is shown, then it says so and has no buttons', (_, row, said) => {
    expect(show(row)).toContain(said);
    expect(show(row)).not.toContain('<button');
  });

  it('given an expired request, when it is shown, then it has no buttons', () => {
    expect(show(payment(), { now: new Date(EXPIRES) })).not.toContain('<button');
  });

  it('given an ignored request, when it is shown, then it shows its expiry time', () => {
    expect(show(payment(), { ignored: true })).toContain('10:30, 21 Dec 2026');
  });

  it('given no script anywhere, when the pages are shown, then they load nothing (SAND-11)', () => {
    for (const page of [show(payment()), notIssuedPage(42), unknownPage()])
      expect(page).not.toMatch(/<script|src=|style="|href=/);
  });
});
