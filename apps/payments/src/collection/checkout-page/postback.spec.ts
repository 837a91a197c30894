import { SEEDED_HOLIDAYS } from '@fundrail/contracts';
import { createHash, createHmac } from 'node:crypto';
import type { RefundRow } from '../../payment/payment.tables.ts';
import type { Payment } from '../../payment/payment.ts';
import { aPayment, NOW } from '../../testing/payments.builder.ts';
import { postbackPage } from './postback-page.ts';
import { postbackOf } from './postback.ts';

/** The options that every page needs. */
const OPTIONS = { holidays: SEEDED_HOLIDAYS };
const SECRET = 'whsec_of_the_tenant';
const sign = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex');
const aPostable = (changes: Partial<Payment> = {}) => ({
  ...aPayment(changes),
  postback_url: 'https://app.example/back',
  compatibility: null,
});
const failed = aPostable({
  status: 'FAILED',
  failure_code: 'insufficient_funds',
});
const fieldOf = (html: string, name: string) =>
  new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(html)?.[1];

describe('the postback', () => {
  it.each([
    ['PENDING', 'pending'],
    ['SUBMITTED', 'pending'],
    ['SUCCESS', 'success'],
    ['INITIATED', 'success'],
    ['APPROVED', 'success'],
    ['FAILED', 'failure'],
    ['REJECTED', 'failure'],
  ] as const)(
    'given a payment that is %s, when it is posted back, then it is %s (PAGE-10)',
    (status, expected) => {
      expect(postbackOf(aPostable({ status }), SECRET).status).toBe(expected);
    },
  );

  it('given a failure, when it is posted back, then the four fields are signed (PAGE-11)', () => {
    expect(postbackOf(failed, SECRET)).toEqual({
      paymentId: '1001',
      status: 'failure',
      failureCode: 'insufficient_funds',
      failureReason: 'There was not enough money in the bank account.',
      signature: sign('1001|failure|insufficient_funds|There was not enough money in the bank account.'),
    });
  });

  it('given a tenant of the upstream interface, when an expired payment is posted back, then its code is the upstream’s, and signed (COMP-6)', () => {
    const expired = aPostable({ status: 'FAILED', failure_code: 'payment_expired' });
    const { failureCode, failureReason, signature } = postbackOf(
      { ...expired, compatibility: 'upstream' },
      SECRET,
    );
    expect(failureCode).toBe('fp_payment_expired');
    expect(signature).toBe(sign(`1001|failure|fp_payment_expired|${failureReason}`));
    expect(postbackOf(expired, SECRET)).toMatchObject({ failureCode: 'payment_expired', failureReason });
  });

  it('given a success, when it is posted back, then code and reason are empty, and signed as empty', () => {
    const posted = postbackOf(aPostable({ status: 'SUCCESS' }), SECRET);
    expect(posted).toMatchObject({ failureCode: '', failureReason: '', signature: sign('1001|success||') });
  });
});

describe('the postback page', () => {
  const page = postbackPage(failed, SECRET, OPTIONS);

  it('given a payment, when the page is rendered, then its form posts all five fields to the client (PAGE-9)', () => {
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/<form\s+method="post"\s+action="https:\/\/app\.example\/back"\s+data-auto/);
    for (const [name, value] of Object.entries(postbackOf(failed, SECRET)))
      expect(fieldOf(page.html, name)).toBe(value);
    expect(page.html).toContain('<button');
  });

  it('given a payment, when the page is rendered, then its policy contains the client’s origin and loads nothing (PAGE-5)', () => {
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("form-action 'self' https://app.example;");
    expect(policy).toContain("default-src 'none'");
    const script = /<script>(.*?)<\/script>/s.exec(page.html)?.[1] ?? '';
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(page.html.match(/<script/g)).toHaveLength(1);
  });

  it.each([
    ['https://app.example;sandbox/back'],
    ["https://app.example;script-src'unsafe-inline'/"],
    ['https://app.example,default-src*/'],
    ["https://'self'/"],
    ['https://*/'],
    ['https://a_b.example/'],
    ['javascript:alert(1)'],
  ])(
    'given the stored address %s, when a page is rendered, then the policy contains no part of it',
    (address) => {
      const { headers } = postbackPage({ ...failed, postback_url: address }, SECRET, OPTIONS);
      expect(headers['content-security-policy']).toContain("; form-action 'self'; base-uri 'none'; ");
    },
  );

  it.each([
    ['https://café.example/', 'https://xn--caf-dma.example'],
    ['https://[2001:db8::1]:8443/x', 'https://[2001:db8::1]:8443'],
    ['http://localhost:8080/done', 'http://localhost:8080'],
  ])('given the address %s, when a page is rendered, then its policy contains %s', (address, origin) => {
    const { headers } = postbackPage({ ...failed, postback_url: address }, SECRET, OPTIONS);
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${origin};`);
  });

  it('given an address with markup, when the page is rendered, then it is text', () => {
    const odd = { ...failed, postback_url: 'https://app.example/?a="><i>' };
    const made = postbackPage(odd, SECRET, OPTIONS).html;
    expect(made).not.toMatch(/<[bi]>/);
  });

  it('given Hindi, when a failure is shown, then the shown reason is in Hindi and the posted one does not change', () => {
    const made = postbackPage(failed, SECRET, {
      ...OPTIONS,
      language: 'hi',
      brand: { operator: 'Demo Fund Services', app: null, logo: null },
    }).html;
    expect(made).toContain('<html lang="hi">');
    expect(made).toContain('बैंक खाते में पर्याप्त पैसा नहीं था।');
    expect(fieldOf(made, 'failureReason')).toBe('There was not enough money in the bank account.');
  });

  const back = (reason: RefundRow['reason'], status: RefundRow['status'] = 'CREATED') =>
    ({
      reference: 'R0001',
      reason,
      status,
      returned_by: 'provider',
      amount: failed.amount,
      created_at: NOW,
    }) as RefundRow;

  it.each([
    ['tpv_failed', 'FAILED', 'Money received from another account', 'not registered for this investment'],
    ['amount_mismatch', 'FAILED', 'Your money is being returned', 'instead of'],
    ['late_authorization', 'FAILED', 'Your money is being returned', 'after this payment had ended'],
    ['transfer_rejected', 'REJECTED', 'Your money is being returned', 'is being returned'],
    ['duplicate_payment', 'SUCCESS', 'Payment successful', 'You paid twice'],
  ] as const)(
    'given money that goes back (%s), when %s is shown to the browser that paid, then it shows that with reference and day, and not that no money was taken (PAGE-15)',
    (reason, status, heading, sentence) => {
      const payment = aPostable({ status, failure_code: 'tpv_failed', refunds: [back(reason)] });
      const { html } = postbackPage(payment, SECRET, OPTIONS);
      expect(html).toContain(`<h1>${heading}</h1>`);
      for (const part of [sentence, 'R0001', '31 Dec 2026', '₹6,001.50']) expect(html).toContain(part);
      expect(html).not.toContain('No money was taken');
    },
  );

  it('given a successful refund, then the page states that the money was returned', () => {
    const payment = aPostable({ status: 'REJECTED', refunds: [back('transfer_rejected', 'SUCCESSFUL')] });
    const { html } = postbackPage(payment, SECRET, OPTIONS);
    expect(html).toContain('<h1>Your money was returned</h1>');
    expect(html).toContain('Returned');
  });

  it.each(['tpv_failed', 'amount_mismatch', 'late_authorization'] as const)(
    'given a successful refund (%s), then the page does not state that money is being returned',
    (reason) => {
      const refunds = [back(reason, 'SUCCESSFUL')];
      for (const language of ['en', 'hi'] as const) {
        const payment = aPostable({ status: 'FAILED', failure_code: 'tpv_failed', refunds });
        const { html } = postbackPage(payment, SECRET, { ...OPTIONS, language });
        expect(html).not.toMatch(/being returned|लौटाया जा रहा है/);
      }
    },
  );

  it.each([
    ['insufficient_funds', 'No money was taken.'],
    ['payment_failed', 'If your account was debited, your bank will return the money within 7 working days.'],
  ] as const)('given a failure by %s, then the page states about the money: %s', (failure_code, sentence) => {
    expect(postbackPage(aPostable({ status: 'FAILED', failure_code }), SECRET, OPTIONS).html).toContain(
      sentence,
    );
  });

  it('given a success, then its receipt redirects after three seconds, and does not redirect when it is shown later', () => {
    const paid = aPostable({ status: 'SUCCESS', debit_confirmed_at: NOW });
    const shown = postbackPage(paid, SECRET, OPTIONS).html;
    expect(shown).toContain('data-auto="3"');
    for (const part of ['1001', '21 Dec 2026, 10:00 am', 'Mutual fund order 11', '₹5,000.50'])
      expect(shown).toContain(part);
    const receipt = postbackPage(paid, SECRET, { ...OPTIONS, stays: true }).html;
    expect(receipt).not.toMatch(/<form[^>]*data-auto/);
    expect(receipt).toContain('Back to the app');
  });

  it('given schemes, when the receipt is shown, then it contains their names', () => {
    const [first, second] = aPostable().orders.map((share) => ({ ...share, scheme: 'INF846K01EW2' }));
    const orders = [first, second && { ...second, display_name: '<b>My savings' }].filter((share) => !!share);
    const paid = aPostable({ status: 'SUCCESS', debit_confirmed_at: NOW, orders });
    const shown = postbackPage(paid, SECRET, OPTIONS).html;
    for (const part of ['Axis ELSS Tax Saver Fund', '<bdi>Axis Mutual Fund</bdi>', '&lt;b&gt;My savings'])
      expect(shown).toContain(part);
  });

  it('given a failed attempt while another is possible, when it is shown, then the page does not redirect by itself', () => {
    const again = { address: '/page?txnId=1.a&lang=en', failed: 'bank_downtime' } as const;
    const made = postbackPage(aPostable(), SECRET, { ...OPTIONS, again }).html;
    expect(made).toContain('href="/page?txnId=1.a&amp;lang=en"');
    expect(made).toContain('Your bank is not available at the moment.');
    expect(made).not.toMatch(/<form[^>]*data-auto/);
    expect(fieldOf(made, 'status')).toBe('pending');
  });
});
