import { timesOf, waitFor } from '@fundrail/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { complaintsOf, expectSound, SCREENS, violations } from './browser.ts';

/** The screen, language and colors in which an investor sees the checkout page. */
export interface Look {
  readonly screen: keyof typeof SCREENS;
  readonly language?: 'en' | 'hi';
  readonly script?: boolean;
  /** The system's color scheme; light by default. */
  readonly colors?: 'light' | 'dark';
}

/** Each screen in each language, with names for test titles. `PAGE_LOOKS` of them: the first two have each screen and each language once. */
export const LOOKS = (
  [
    ['phone', 'en'],
    ['desktop', 'hi'],
    ['phone', 'hi'],
    ['desktop', 'en'],
  ] as const
)
  .slice(0, timesOf('PAGE_LOOKS'))
  .map(([screen, language]) => [screen, language, { screen, language }] as const);

/** A form that the page posted to the client. */
type Posted = Readonly<Record<string, string>>;

/** An investor's browser, from the first page to the redirect back to the client. */
export class Investor {
  /** Errors of the console, and requests to unexpected origins. */
  readonly complaints: string[];
  /** What was posted to the client, in order. */
  readonly posted: Posted[] = [];

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {
    this.complaints = complaintsOf(page, origin);
  }

  /** Requests outside of `origin`, to the bank and to the client's postback, are answered with no content. */
  static async at(browser: Browser, look: Look, origin: string): Promise<Investor> {
    const context = await browser.newContext({
      viewport: SCREENS[look.screen],
      locale: look.language === 'hi' ? 'hi-IN' : 'en-IN',
      javaScriptEnabled: look.script ?? true,
      colorScheme: look.colors ?? 'light',
    });
    const investor = new Investor(await context.newPage(), origin);
    await investor.answerElsewhere();
    return investor;
  }

  /** Opens an address; returns the HTTP status. */
  async open(address: string): Promise<number> {
    const answer = await this.page.goto(address, { waitUntil: 'load' });
    return answer?.status() ?? 0;
  }

  /** Waits for the form that the page posts to the client. */
  async postback(): Promise<Posted> {
    await this.page.locator('form[data-auto]').waitFor();
    return waitFor(() => this.posted[0] ?? null, { what: 'the way back' });
  }

  violations(): Promise<string[]> {
    return violations(this.page);
  }

  sound(name: string, { screen, language = 'en' }: Look): Promise<void> {
    return expectSound(this, `${name}-${screen}-${language}`);
  }

  /** The button of the page's form for that action. */
  button(action: string): Locator {
    return this.page.locator(`button[value=${action}]`);
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }

  private async answerElsewhere(): Promise<void> {
    await this.page.route(
      (url) => url.origin !== this.origin && url.protocol.startsWith('http'),
      (route) => {
        const request = route.request();
        if (request.method() !== 'POST') this.complaints.push(`a request to ${request.url()}`);
        else this.posted.push(Object.fromEntries(new URLSearchParams(request.postData() ?? '')));
        // No content: the page stays, so that the test can read it.
        return route.fulfill({ status: 204 });
      },
    );
  }
}
