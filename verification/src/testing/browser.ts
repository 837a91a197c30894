import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { join } from 'node:path';
import { chromium as launcher, type Browser, type Page, type Response } from 'playwright-core';
import { laxHeadersOf } from './lax-headers.ts';

/** The screen sizes that a page must fit. */
export const SCREENS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

/** A page, and the errors of its console. */
interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** Flags that the package sets for cloud functions. */
const LAX_FLAGS: ReadonlySet<string> = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--allow-running-insecure-content',
]);

/**
 * The Chromium that npm brings, as strict as an investor's browser: a process for each site, and contexts with their own cookies, which
 * may be closed. A page that stays open goes on working: some ask for news, some reload.
 */
export async function openBrowser(): Promise<Browser> {
  const args = chromium.args.filter((flag) => !LAX_FLAGS.has(flag));
  return launcher.launch({ executablePath: await chromium.executablePath(), args, headless: true });
}

/** Opens an address in a screen of that size. Requests to another origin than `origin` fail, as without a network. */
export async function openPage(
  browser: Browser,
  address: string,
  screen: keyof typeof SCREENS,
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: SCREENS[screen] });
  const { origin } = new URL(address);
  const complaints = complaintsOf(page, origin);
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

/** Collects from now on the errors of a page's console and scripts, and what the headers of `origin` fail to forbid (`laxHeadersOf`). */
export function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (answer) => {
    if (new URL(answer.url()).origin === origin) complaints.push(...laxHeaders(answer));
  });
  return complaints;
}

function laxHeaders(answer: Response): string[] {
  if (answer.request().resourceType() !== 'document') return [];
  return laxHeadersOf(answer.headers()).map((part) => `${answer.url()} answers with lax headers: ${part}`);
}

/** Saves a screenshot in the folder that `SCREENSHOTS` names. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** The number of pixels by which the page is wider than its screen. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Finds the same faults as without it. What is sound is not described: that takes longer than the search on a long page. */
const FAULTS_ALONE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`;

/** The accessibility faults that axe-core finds in the page as it is, by rule and element. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const found = await page.evaluate<axe.Result[]>(FAULTS_ALONE);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Expects no overflow, no accessibility fault and no console error, and saves a screenshot. */
export async function expectSound({ page, complaints }: WatchedPage, name: string): Promise<void> {
  await picture(page, name);
  expect([name, await overhang(page)]).toEqual([name, 0]);
  expect([name, await violations(page)]).toEqual([name, []]);
  expect([name, complaints]).toEqual([name, []]);
}
