import { createHash, createHmac } from 'node:crypto';
import { aPayment } from '../testing/payments.builder.ts';
import { postbackOf } from './postback.ts';
import { postbackPage } from './postback-page.ts';

const SECRET = 'whsec_of_the_tenant';
const sign = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex');
const failed = aPayment({
  status: 'FAILED',
  failure_code: 'insufficient_funds',
  failed_reason: 'There was not enough money in the bank account.',
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
    'given a payment that is %s, when it is posted back, then it is %s (contract §3)',
    (status, told) => {
      expect(postbackOf(aPayment({ status }), SECRET).status).toBe(told);
    },
  );

  it('given a failure, when it is posted back, then the four fields are signed as contract §10 says', () => {
    expect(postbackOf(failed, SECRET)).toEqual({
      paymentId: '1001',
      status: 'failure',
      failureCode: 'insufficient_funds',
      failureReason: 'There was not enough money in the bank account.',
      signature: sign('1001|failure|insufficient_funds|There was not enough money in the bank account.'),
    });
  });

  it('given a success, when it is posted back, then code and reason are empty, and are signed so', () => {
    const posted = postbackOf(aPayment({ status: 'SUCCESS' }), SECRET);
    expect(posted).toMatchObject({ failureCode: '', failureReason: '', signature: sign('1001|success||') });
  });
});

describe('the postback page', () => {
  const page = postbackPage(failed, SECRET);

  it('given a payment, when the page is made, then its form posts all five fields to the client', () => {
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/<form\s+method="post"\s+action="https:\/\/app\.example\/back"\s+data-auto/);
    for (const [name, value] of Object.entries(postbackOf(failed, SECRET)))
      expect(fieldOf(page.html, name)).toBe(value);
    expect(page.html).toContain('<button');
  });

  it('given a payment, when the page is made, then its policy names the client’s origin and loads nothing', () => {
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("form-action 'self' https://app.example;");
    expect(policy).toContain("default-src 'none'");
    const script = /<script>(.*?)<\/script>/s.exec(page.html)?.[1] ?? '';
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(page.html.match(/<script/g)).toHaveLength(1);
  });

  it('given an address and a reason with markup, when the page is made, then they are text', () => {
    const odd = { ...failed, failed_reason: '"><b>x', payment_postback_url: 'https://app.example/?a="><i>' };
    const made = postbackPage(odd, SECRET).html;
    expect(made).not.toMatch(/<[bi]>/);
    expect(fieldOf(made, 'failureReason')).toBe('&quot;&gt;&lt;b&gt;x');
  });

  it('given Hindi, when a failure is shown, then its reason is Hindi and the posted one is as it was', () => {
    const made = postbackPage(failed, SECRET, { language: 'hi', operator: 'Demo Fund Services' }).html;
    expect(made).toContain('<html lang="hi">');
    expect(made).toContain('बैंक खाते में पर्याप्त पैसा नहीं था।');
    expect(fieldOf(made, 'failureReason')).toBe('There was not enough money in the bank account.');
  });

  it('given money that is on its way back, when REJECTED is shown, then the page says so', () => {
    const rejected = aPayment({ status: 'REJECTED' });
    expect(postbackPage(rejected, SECRET).html).toContain('Your money is on its way back to you.');
  });

  it('given a try that failed while another is possible, when it is shown, then nobody is led away by itself', () => {
    const again = { address: '/page?txnId=1.a&lang=en', failed: 'bank_downtime' } as const;
    const made = postbackPage(aPayment(), SECRET, { again }).html;
    expect(made).toContain('href="/page?txnId=1.a&amp;lang=en"');
    expect(made).toContain('Your bank is not available at the moment.');
    expect(made).not.toContain('data-auto>');
    expect(fieldOf(made, 'status')).toBe('pending');
  });
});
