import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { join } from 'node:path';
import { chromium as launcher, type Browser, type Page, type Response } from 'playwright-core';
import { laxHeadersOf } from './lax-headers.ts';

/** Sizes of the screens that a page must fit. */
export const SCREENS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

/** A page, and everything that its console complained of. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** The Chromium that npm brings. */
export async function openBrowser(): Promise<Browser> {
  return launcher.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
    headless: true,
  });
}

/** What the package switches off to fit into a function in the cloud. */
const LAX_FLAGS: ReadonlySet<string> = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--allow-running-insecure-content',
]);

/** As `openBrowser`, as strict as an investor's: one process a site, and each context with its own cookies, which may be closed. */
export async function openStrictBrowser(): Promise<Browser> {
  return launcher.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((flag) => !LAX_FLAGS.has(flag)),
    headless: true,
  });
}

/** Opens an address in a screen of that size. Requests to anybody but `origin` fail, as they would without a network. */
export async function openPage(
  browser: Browser,
  address: string,
  screen: keyof typeof SCREENS,
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: SCREENS[screen] });
  const { origin } = new URL(address);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('response', (answer) => complaints.push(...laxHeaders(answer)));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.route(
    (url) => url.origin !== origin && url.protocol !== 'data:',
    (route) => {
      complaints.push(`a request to ${route.request().url()}`);
      return route.abort();
    },
  );
  await page.goto(address, { waitUntil: 'load' });
  return { page, complaints };
}

/** What a page's answer leaves open to a browser that should be shut (`laxHeadersOf`). */
export function laxHeaders(answer: Response): string[] {
  if (answer.request().resourceType() !== 'document') return [];
  return laxHeadersOf(answer.headers()).map((part) => `${answer.url()} answers with lax headers: ${part}`);
}

/** Keeps a picture for a person to look at, in the folder that `SCREENSHOTS` names. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Pixels by which the page is wider than its screen: what would have to be scrolled sideways. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** What axe-core finds wrong with the page as it is, by rule and element. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run(document)');
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Nothing sticks out, nothing is wrong for those who cannot see or point, nothing complained; and a picture is kept. */
export async function expectSound({ page, complaints }: WatchedPage, name: string): Promise<void> {
  await picture(page, name);
  expect([name, await overhang(page)]).toEqual([name, 0]);
  expect([name, await violations(page)]).toEqual([name, []]);
  expect([name, complaints]).toEqual([name, []]);
}
