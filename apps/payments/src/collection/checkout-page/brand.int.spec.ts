import { createHash } from 'node:crypto';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWLijvH6D8NMDEgAAAAA//8JCTTPAAAABklEQVQDAF7xBRU5HBq2AAAAAElFTkSuQmCC',
  'base64',
);
const SHA256 = createHash('sha256').update(PNG).digest('hex');
const ADDRESS = `/api/pg/payments/netbanking/sdkvendor/logos/demo/${SHA256}`;

describeCheckout('the app’s name and logo on the hosted page', (play) => {
  const get = (address: string) => new CheckoutBrowser(play.stage).send('GET', address);
  const setBrand = (display_name: string | null, hasLogo = false) => {
    const { neighbours } = play.stage;
    neighbours.settings.display_name = display_name;
    neighbours.settings.logo = hasLogo
      ? { media_type: 'image/png', width: 3, height: 2, sha256: SHA256 }
      : null;
    neighbours.logo = PNG;
    play.passTenantFacts();
  };
  const header = (html: string) => /<header[\s\S]*?<\/strong>/.exec(html)?.[0] ?? '';

  it('given no settings, when the page is opened, then the operator is at the top, and no picture is loaded', async () => {
    setBrand(null);
    const { shown } = await play.opened();
    expect(header(shown.html)).toContain('Operator');
    expect(shown.html).not.toContain('<img');
    expect(shown.headers['content-security-policy']).not.toContain('img-src');
  });

  it('given a name, when the page is opened, then the name is at the top, and the operator is still the facilitator (PAGE-14)', async () => {
    setBrand('Acme Wealth');
    const { shown } = await play.opened();
    expect(header(shown.html)).toContain('Acme Wealth');
    expect(shown.html).toContain('<title>Pay ₹5,000.00 · Acme Wealth</title>');
    expect(shown.html).toContain('Operator is the official facilitator of this transaction.');
  });

  it('given a name, when a payment was cancelled, then the link back contains the app’s name, in the page’s language', async () => {
    setBrand('Acme Wealth');
    const { browser, token, url } = await play.opened();
    const { html } = await browser.press(token, { action: 'cancel' });
    expect(html).toContain('>Back to Acme Wealth</button>');
    expect(html).toContain('Taking you back to Acme Wealth…');
    expect((await browser.open(`${url}&lang=hi`)).html).toContain('>Acme Wealth पर वापस जाएँ</button>');
  });

  it('given a name, when another browser opens the link, then its link back contains the app’s name', async () => {
    setBrand('Acme Wealth');
    const { url } = await play.opened();
    const { status, html } = await get(url);
    expect(status).toBe(410);
    expect(html).toMatch(/href="https:\/\/app\.example\/"[^>]*>Back to Acme Wealth</);
  });

  it('given identity does not answer, when another browser opens the link, then it is answered without the name', async () => {
    setBrand('Acme Wealth');
    const { url } = await play.opened();
    play.passTenantFacts(2_000_000);
    const other = new CheckoutBrowser(play.stage);
    play.stage.neighbours.silent.add('identity');
    expect((await other.send('HEAD', url)).status).toBe(200);
  });

  it('given markup in a name, when the page is opened, then it is shown as text', async () => {
    setBrand('<script>x</script>');
    const { shown } = await play.opened();
    expect(header(shown.html)).toContain('&lt;script&gt;x&lt;/script&gt;');
    expect(shown.html.match(/<script/g)).toHaveLength(1);
  });

  it('given a logo, when the page is opened, then its address is on our origin, and the policy allows pictures from there only (PAGE-14)', async () => {
    setBrand('Acme Wealth', true);
    const { shown } = await play.opened();
    expect(header(shown.html)).toMatch(
      new RegExp(`<img\\s+class="logo"\\s+src="${ADDRESS}"\\s+alt=""\\s+width="3"\\s+height="2"`),
    );
    expect(shown.headers['content-security-policy']).toContain("; img-src 'self';");
    expect(shown.headers['content-security-policy']).not.toContain('data:');
  });

  it('given a logo, when it is fetched, then it has its media type, can be cached for good, and cannot be run', async () => {
    setBrand(null, true);
    const { fastify } = play.stage.service;
    const answer = await fastify.inject({ method: 'GET', url: ADDRESS });
    expect([answer.statusCode, answer.rawPayload.equals(PNG)]).toEqual([200, true]);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const { logoCalls } = play.stage.neighbours;
    await fastify.inject({ method: 'GET', url: ADDRESS });
    expect(play.stage.neighbours.logoCalls).toBe(logoCalls);
  });

  it.each([
    ['another hash', ADDRESS.replace(/.{4}$/, '0000')],
    ['a tenant without a logo', ADDRESS.replace('/demo/', '/unknown/')],
    ['no hash', ADDRESS.replace(SHA256, 'logo.png')],
    ['a path', ADDRESS.replace('/demo/', '/..%2fdemo/')],
  ])(
    'given %s, when the logo is fetched, then it is a 404, and identity is not called for the content',
    async (_, address) => {
      setBrand(null, true);
      const { logoCalls } = play.stage.neighbours;
      expect((await get(address)).status).toBe(404);
      expect(play.stage.neighbours.logoCalls).toBe(logoCalls);
    },
  );

  it('given the logo was changed, when the old one is fetched, then it is a 404', async () => {
    setBrand(null, true);
    await get(ADDRESS);
    setBrand(null, false);
    expect((await get(ADDRESS)).status).toBe(404);
  });
});
