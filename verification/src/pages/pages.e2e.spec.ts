import { waitFor, WebhookReceiver } from '@fundrail/testing';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { expectSound, openBrowser, openPage, overhang, picture, SCREENS } from '../testing/browser.ts';
import { startStandalone, type OpenProduct } from '../testing/open-products.ts';
import { createOrder, ok, untilOrder, untilPayment } from '../testing/purchase.ts';

const screens = Object.keys(SCREENS) as (keyof typeof SCREENS)[];

// On one process alone: the start page, the documents and their reader are the standalone's own; in front of separate
// processes the edge serves them as files (docker/edge.e2e.spec.ts), and has no start page.
describe('the pages of the standalone, in Chromium', () => {
  let standalone: OpenProduct;
  let browser: Browser;

  beforeAll(async () => {
    [standalone, browser] = await Promise.all([startStandalone(), openBrowser()]);
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(() => Promise.all([browser.close(), standalone.stop()]));

  /** The page as it is, on one screen after the other. */
  const expectSoundOnEach = async (watched: Awaited<ReturnType<typeof openPage>>, name: string) => {
    for (const screen of screens) {
      await watched.page.setViewportSize(SCREENS[screen]);
      await expectSound(watched, `${name}-${screen}`);
    }
  };

  it.each(screens)(
    'show the start page on a %s without errors, and without scrolling sideways',
    async (screen) => {
      const { page, complaints } = await openPage(browser, `${standalone.url}/`, screen);
      await picture(page, `home-${screen}`);
      expect(await page.title()).toBe('fundrail');
      expect(await overhang(page)).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  it('serve the AsyncAPI document of docs/ (OPS-11)', async () => {
    const answer = await fetch(`${standalone.url}/asyncapi.json`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.text()).toBe(
      readFileSync(new URL('../../../docs/asyncapi.json', import.meta.url), 'utf8'),
    );
  });

  it('list what was seeded (SAND-15)', async () => {
    const seed = (await (await fetch(`${standalone.url}/sandbox/seed`)).json()) as Record<string, string>;
    const { page } = await openPage(browser, `${standalone.url}/`, 'desktop');
    const listed = await page.locator('dl').innerText();
    for (const id of ['investor_profile', 'bank_account', 'mf_investment_account'])
      expect(listed).toContain(seed[id]);
  });

  it('give five calls that work when they are pasted, and the UPI app pays their payment (SAND-16)', async () => {
    const { page } = await openPage(browser, `${standalone.url}/`, 'phone');
    const calls = await page.locator('ol pre').allInnerTexts();
    expect(calls).toHaveLength(5);
    const { stdout } = await promisify(execFile)('sh', ['-c', calls.join('\n')]);
    const [upiApp = '', payment] = /http\S+\/sandbox\/upi\/(\d+)$/.exec(stdout.trim()) ?? [];
    const client = await standalone.client();
    await untilPayment(client, Number(payment), 'PENDING');
    await payInUpiApp(upiApp);
    await untilPayment(client, Number(payment), 'APPROVED');
    await untilOrder(client, { id: /mfp_[0-9a-f]{32}/.exec(stdout)?.[0] ?? '', oldId: 0 }, 'successful');
  });

  it('lead to the checkout page of a fresh payment', async () => {
    const { page, complaints } = await openPage(browser, `${standalone.url}/`, 'desktop');
    await page.getByRole('link', { name: 'Open the checkout page of a fresh payment' }).click();
    await page.locator('.qr svg').waitFor();
    expect(complaints).toEqual([]);
  });

  it('show the API reference on each screen without a network (OPS-11)', async () => {
    const watched = await openPage(browser, `${standalone.url}/docs`, 'phone');
    const { page } = watched;
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock').count()).toBeGreaterThan(20);
    await page.locator('.opblock-post .opblock-summary-control').first().click();
    await page.locator('.opblock-body .execute').waitFor();
    await page.locator('.authorize').first().click();
    await page.locator('.modal-ux').waitFor();
    await expectSoundOnEach(watched, 'docs-open');
  });

  it.each([
    ['a developer', 'Sign in with the sandbox client', 'demo', '/v2/tenant'],
    ['an operator', 'Sign in as the operator', 'admin', '/admin/tenants'],
  ])(
    'sign %s in to the API reference by one click, and a call then succeeds (SAND-20)',
    async (_who, button, name, path) => {
      const { page, complaints } = await openPage(browser, `${standalone.url}/docs`, 'desktop');
      await page.getByRole('button', { name: button }).click();
      await page.getByText(new RegExp(`^Signed in as ${name} for \\d+ minutes$`)).waitFor();
      const operation = page.locator('.opblock-get').filter({ has: page.locator(`[data-path="${path}"]`) });
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.execute').click();
      const status = operation.locator('.live-responses-table .response-col_status').last();
      await status.waitFor();
      expect(await status.innerText()).toMatch(/^200/);
      expect(complaints).toEqual([]);
    },
  );

  it('hand out the collection for Postman with their own address, the seeded client and the seeded ids (OPS-19)', async () => {
    const { page, complaints } = await openPage(browser, `${standalone.url}/docs/guides`, 'desktop');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'the collection of all operations' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('fundrail.postman_collection.json');
    const text = readFileSync(await file.path(), 'utf8');
    const { variable } = JSON.parse(text) as { variable: { key: string; value: string }[] };
    const seed = (await (await fetch(`${standalone.url}/sandbox/seed`)).json()) as Record<string, string>;
    expect(Object.fromEntries(variable.map(({ key, value }) => [key, value]))).toMatchObject({
      ...{ base: standalone.url, tenant: 'demo', client_id: 'demo', client_secret: 'demo-secret' },
    });
    expect(text).toContain(seed['mf_investment_account']);
    expect(complaints).toEqual([]);
  });

  it('show every guide on each screen, without faults (OPS-19)', async () => {
    const watched = await openPage(browser, `${standalone.url}/docs/guides`, 'phone');
    const { page } = watched;
    await expectSoundOnEach(watched, 'guides');
    const links = page.locator('main .index a');
    const paths = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      await page.goto(`${standalone.url}${path}`, { waitUntil: 'load' });
      await expectSoundOnEach(watched, `guide-${path?.split('/').at(-1)}`);
    }
  });

  it('find a section of a guide and an operation by words', async () => {
    const watched = await openPage(browser, `${standalone.url}/docs/guides`, 'phone');
    const { page } = watched;
    const search = page.getByLabel('Search');
    await search.fill('idempotency 24 hours');
    await page.locator('#found a').first().waitFor();
    await expectSound(watched, 'guides-found');
    await search.press('Enter');
    await page.waitForURL('**/docs/guides/idempotency*');
    // The reader logs a warning at a link to an operation whose id has an underscore.
    expect(watched.complaints).toEqual([]);
    await page.getByLabel('Search').fill('post /v2/mf_purchases/batch');
    await page.locator('#found a').first().click();
    await page.locator('.opblock.is-open [data-path="/v2/mf_purchases/batch"]').first().waitFor();
  });

  describe.each(screens)('of the webhooks, on a %s', (screen) => {
    let receiver: WebhookReceiver;
    beforeAll(async () => {
      receiver = await WebhookReceiver.start();
    });
    afterAll(() => receiver.stop());

    it('lead a developer from the sign-in to a failed delivery, its retry, and a test event', async () => {
      // given an endpoint that has refused an event
      const client = await standalone.client();
      receiver.answers = 500;
      const url = `${receiver.url}/${screen}`;
      ok(
        await client.post('/v2/notification_webhooks', { url, events: ['mf_purchase.*', 'payment.updated'] }),
      );
      await createOrder(client);
      const refused = () => receiver.received.filter(({ body }) => body.type === 'mf_purchase.created');
      await waitFor(() => refused().length === 1, { what: 'an attempt' });
      // The next attempt is 5 minutes away. A page with a delivery that is about to be sent reloads by itself.
      ok(await client.post('/sandbox/clock', { advance: 'PT6S' }));
      await waitFor(() => refused().length === 2, { what: 'a second attempt' });
      // when
      const watched = await openPage(browser, `${standalone.url}/webhooks`, screen);
      const { page, complaints } = watched;
      const sound = (name: string) => expectSound(watched, `webhooks-${name}-${screen}`);
      const badge = (word: string) => page.locator('.head .state', { hasText: word }).waitFor();
      const signIn = async (secret: string) => {
        await page.getByLabel('Tenant').fill('demo');
        await page.getByLabel('Client ID').fill('demo');
        await page.getByLabel('Client secret').fill(secret);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      };
      // then
      await signIn('wrong');
      await page.getByRole('alert').waitFor();
      // Chromium logs the status 401 to its console.
      complaints.length = 0;
      await sound('sign-in');
      await signIn('demo-secret');
      await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
      await sound('endpoints');
      await page.getByRole('link', { name: url }).click();
      await badge('Failing');
      await sound('endpoint');
      await page.getByRole('link', { name: 'mf_purchase.created' }).click();
      await badge('Pending');
      await sound('delivery-refused');
      receiver.answers = 200;
      await page.getByRole('button', { name: 'Retry now' }).click();
      await badge('Delivered');
      await sound('delivery-retried');
      await page.getByRole('link', { name: url }).click();
      await page.getByRole('button', { name: 'Send test event' }).click();
      await badge('Delivered');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Client secret').waitFor();
      expect(receiver.received.map(({ body }) => body.type)).toContain('notification_webhook.test');
    });
  });

  /** Until the order is submitted the page shows that there is no link yet, and reloads by itself. */
  async function payInUpiApp(address: string): Promise<void> {
    const { page, complaints } = await openPage(browser, address, 'phone');
    await page.getByRole('button', { name: /Approve/ }).click();
    await page.getByText('Paid', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  }
});
