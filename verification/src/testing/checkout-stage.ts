import type { Browser } from 'playwright-core';
import type { ApiClient } from './api-client.ts';
import { openBrowser } from './browser.ts';
import { Investor, type Look } from './checkout-page.ts';
import type { Product } from './products.ts';
import { freshCheckout, type FreshCheckout } from './purchase.ts';

/** A payment whose page an investor has opened. */
interface OpenedCheckout extends FreshCheckout {
  readonly client: ApiClient;
  readonly investor: Investor;
  readonly page: Investor['page'];
}

/** The product with a browser, for the tests of the hosted checkout page. */
export class CheckoutStage {
  private constructor(
    readonly product: Product,
    readonly browser: Browser,
  ) {}

  static async open(start: () => Promise<Product>): Promise<CheckoutStage> {
    const [product, browser] = await Promise.all([start(), openBrowser()]);
    return new CheckoutStage(product, browser);
  }

  at(look: Look): Promise<Investor> {
    return Investor.at(this.browser, look, new URL(this.product.url).origin);
  }

  /** A payment over orders of these amounts in rupees, with its page open. */
  async opened(look: Look, amounts?: readonly number[]): Promise<OpenedCheckout> {
    const client = await this.product.client();
    const payment = await freshCheckout(client, amounts);
    const investor = await this.at(look);
    expect(await investor.open(payment.url)).toBe(200);
    return { ...payment, client, investor, page: investor.page };
  }

  async close(): Promise<void> {
    await Promise.all([this.browser.close(), this.product.stop()]);
  }
}
