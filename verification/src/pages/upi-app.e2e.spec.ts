import type { Browser } from 'playwright-core';
import { openBrowser, openPage, overhang, picture, SCREENS } from '../testing/browser.ts';
import { describeProducts, type Product } from '../testing/products.ts';
import { payableOrder, payablePayment, untilPayment } from '../testing/purchase.ts';

const screens = Object.keys(SCREENS) as (keyof typeof SCREENS)[];

describeProducts('the UPI app of the sandbox, in Chromium', (start) => {
  let product: Product;
  let browser: Browser;

  beforeAll(async () => {
    [product, browser] = await Promise.all([start(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), product.stop()]));

  const opened = async (screen: keyof typeof SCREENS) => {
    const client = await product.client();
    const payment = await payablePayment(client, [await payableOrder(client)]);
    const app = await openPage(browser, `${product.url}/sandbox/upi/${payment}`, screen);
    return { client, payment, ...app };
  };

  it.each(screens)('declines on a %s when the investor declines', async (screen) => {
    const { client, payment, page, complaints } = await opened(screen);
    await picture(page, `upi-${screen}`);
    expect(await overhang(page)).toBe(0);
    await page.getByRole('button', { name: 'Decline' }).click();
    await untilPayment(client, payment, 'FAILED');
    await picture(page, `upi-declined-${screen}`);
    expect(complaints).toEqual([]);
  });
});
