import type { Browser, Locator, Page } from 'playwright-core';
import { expectSound, laxHeaders, SCREENS, violations } from './browser.ts';

/** How an investor looks at the checkout page. */
export interface Look {
  readonly screen: keyof typeof SCREENS;
  readonly language?: 'en' | 'hi';
  readonly script?: boolean;
  /** `dark` as the system has it; light unless told. */
  readonly colors?: 'light' | 'dark';
}

/** Each screen in each language, with their names for the titles of tests. */
export const LOOKS = (['phone', 'desktop'] as const).flatMap((screen) =>
  (['en', 'hi'] as const).map((language) => [screen, language, { screen, language }] as const),
);

/** A form that the page posted to the client. */
export type Posted = Readonly<Record<string, string>>;

/** An investor's browser, from the first look at the page to the way back. */
export class Investor {
  /** What the console complained of, and requests to anybody whom the page has no business with. */
  readonly complaints: string[] = [];
  /** What was posted to the client, in order. */
  readonly posted: Posted[] = [];

  private constructor(readonly page: Page) {}

  /** `elsewhere` answers what is outside of `origin`: the bank, and the client's postback. */
  static async at(browser: Browser, look: Look, origin: string): Promise<Investor> {
    const context = await browser.newContext({
      viewport: SCREENS[look.screen],
      locale: look.language === 'hi' ? 'hi-IN' : 'en-IN',
      javaScriptEnabled: look.script ?? true,
      colorScheme: look.colors ?? 'light',
    });
    const investor = new Investor(await context.newPage());
    await investor.watch(origin);
    return investor;
  }

  /** Opens an address; answers the HTTP status. */
  async open(address: string): Promise<number> {
    const answer = await this.page.goto(address, { waitUntil: 'load' });
    return answer?.status() ?? 0;
  }

  violations(): Promise<string[]> {
    return violations(this.page);
  }

  sound(name: string, { screen, language = 'en' }: Look): Promise<void> {
    return expectSound(this, `${name}-${screen}-${language}`);
  }

  /** The button of the page's form that asks for that. */
  button(action: string): Locator {
    return this.page.locator(`button[value=${action}]`);
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }

  private async watch(origin: string): Promise<void> {
    this.page.on(
      'console',
      (message) =>
        message.type() === 'error' && this.complaints.push(`${message.text()} (${message.location().url})`),
    );
    this.page.on('pageerror', (error) => this.complaints.push(error.message));
    this.page.on('response', (answer) => {
      if (new URL(answer.url()).origin === origin) this.complaints.push(...laxHeaders(answer));
    });
    await this.page.route(
      (url) => url.origin !== origin && url.protocol.startsWith('http'),
      (route) => {
        const request = route.request();
        if (request.method() !== 'POST') this.complaints.push(`a request to ${request.url()}`);
        else this.posted.push(Object.fromEntries(new URLSearchParams(request.postData() ?? '')));
        // No content: the page stays, so that it can be looked at.
        return route.fulfill({ status: 204 });
      },
    );
  }
}
