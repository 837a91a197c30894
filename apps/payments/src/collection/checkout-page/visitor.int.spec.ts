import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

const PAGE = 'http://127.0.0.1:3000/api/pg/payments/netbanking/sdkvendor';

describeCheckout('the language of the hosted page', (play) => {
  it('given a browser set to Hindi, when the page is opened, then it is in Hindi, with a link to English', async () => {
    const { url } = await play.created();
    const browser = new CheckoutBrowser(play.stage);
    const shown = await browser.open(url, { 'accept-language': 'hi-IN,hi;q=0.9' });
    expect(shown.html).toContain('<html lang="hi">');
    expect(shown.html).toContain('₹5,000.00 का भुगतान करें');
    const link = /href="([^"]+)"\s+lang="en"/.exec(shown.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await browser.open(link, { 'accept-language': 'hi' })).html).toContain('Pay ₹5,000.00');
  });

  it('given Hindi chosen on the page, when a bank is chosen, then the page after the bank is in Hindi too', async () => {
    const { id, token, browser } = await play.opened();
    const shown = await browser.press(token, { action: 'netbanking', bank: 'HDFC', lang: 'hi' });
    const link = /<a\s+class="button main"\s+href="([^"]+)"/.exec(shown.html)?.[1] ?? '';
    const back = new URL(link.replaceAll('&amp;', '&')).searchParams.get('back') ?? '';
    const fields = new URLSearchParams({ 'error[code]': 'BAD_REQUEST_ERROR' }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(new URL(back).pathname).toMatch(new RegExp(`/capture/${id}$`));
    const answer = await browser.send('POST', back, { ...form, 'accept-language': 'en' }, fields);
    expect([answer.status, answer.html.includes('<html lang="hi">')]).toEqual([200, true]);
    const other = await browser.send(
      'POST',
      new URL(back).pathname,
      { ...form, 'accept-language': 'en' },
      fields,
    );
    expect(other.html).toContain('<html lang="en">');
  });

  it('given an ended payment, when its page is opened again, then it has the language link too', async () => {
    const { token, browser } = await play.opened();
    const shown = await browser.press(token, { action: 'cancel', lang: 'hi' });
    expect(shown.html).toMatch(/<html lang="hi">[^]*data-auto/);
    const link = /href="([^"]+)"\s+lang="en"/.exec(shown.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await browser.open(link)).html).toMatch(/<html lang="en">[^]*data-auto/);
  });
});

describeCheckout('the browser data that is sent to a provider', (play) => {
  const headers = { 'user-agent': 'Mozilla/5.0 Chrome/140', 'x-forwarded-for': '203.0.113.9, 10.0.0.1' };
  const sent = { ip: '203.0.113.9', referer: PAGE, user_agent: 'Mozilla/5.0 Chrome/140' };

  it('given a link, when it is opened, then the QR code is requested with the data of that browser', async () => {
    const { url } = await play.created();
    await new CheckoutBrowser(play.stage).open(url, headers);
    expect(play.stage.checkout.from.at(-1)).toEqual(sent);
  });

  it.each([
    ['a UPI ID', { action: 'collect', vpa: 'rahul@upi' }],
    ['a bank', { action: 'netbanking', bank: 'HDFC' }],
  ])(
    'given %s, when it is sent, then the attempt is started with the data of that browser',
    async (_, form) => {
      const { token, browser } = await play.opened();
      await browser.press(token, form, { 'sec-fetch-site': 'same-origin', ...headers });
      expect(play.stage.checkout.from.at(-1)).toEqual(sent);
    },
  );
});
