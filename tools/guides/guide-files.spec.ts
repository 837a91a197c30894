import { readFileSync } from 'node:fs';
import { guideFiles } from './guide-files.ts';
import { ALL_GUIDES, FOLDERS, PAGES_OF_FOLDERS, WRITTEN_GUIDES } from './guides.ts';

const files = guideFiles();
const textOf = (name: string) => files.get(name)?.toString('utf8') ?? '';
const pages = [...files.keys()]
  .filter((name) => name.endsWith('.html'))
  .map((name) => [name, textOf(name)] as const);
/** Served by the product itself, beside the guides. */
const ELSEWHERE = ['/docs', '/docs/favicon-32x32.png', '/openapi.json', '/asyncapi.json'];

const matches = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, found]) => found ?? '');

describe('the guides', () => {
  it('are a page each, and an index that leads to all', () => {
    expect(pages.map(([name]) => name).sort()).toEqual(
      ['index', ...ALL_GUIDES.map(({ slug }) => slug)].map((slug) => `${slug}.html`).sort(),
    );
    const main = textOf('index.html').slice(textOf('index.html').indexOf('<main'));
    for (const { slug } of WRITTEN_GUIDES) expect(main).toContain(`href="/docs/guides/${slug}"`);
  });

  it.each(FOLDERS)('have every page of %s, which its index leads to', (folder) => {
    const pages = PAGES_OF_FOLDERS.filter(({ slug }) => slug.startsWith(`${folder}-`));
    expect(pages.length).toBeGreaterThan(10);
    for (const { slug } of pages)
      expect(textOf(`${folder}.html`)).toMatch(new RegExp(`href="/docs/guides/${slug}[#"]`));
    expect(textOf(`${pages[0]?.slug ?? ''}.html`)).toContain(
      `href="/docs/guides/${folder}" aria-current="true"`,
    );
  });

  it('show the states of a payment and the course of a debit as pictures, which have their words', () => {
    const states = textOf('states.html');
    expect(matches(states, /<svg role="img" aria-label="Diagram: (\w+)"/g)).toEqual(
      matches(states, /<h2 id="\w+">(\w+)<\/h2>/g),
    );
    expect(states).toContain('PENDING to SUCCESS by succeed');
    expect(textOf('mandates.html')).toContain('<desc>buyer app to payments: POST /nach; ');
  });

  it.each(pages)('%s has one title, and links only to what is served', (_name, html) => {
    expect(matches(html, /<(h1)[ >]/g)).toHaveLength(1);
    const links = matches(html, /(?:href|src)="([^"]*)"/g).filter((link) => !link.startsWith('https://'));
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !leads(link, html))).toEqual([]);
  });

  it.each(pages)('%s needs no inline code or style, which its policy forbids', (_name, html) => {
    expect(html).not.toMatch(/<style|<script(?! src=)|<[^>]* style=|<[^>]* on\w+=/);
  });

  it('have a search for each section and each operation, that leads there', () => {
    const entries = JSON.parse(textOf('search.json')) as { heading: string; href: string }[];
    expect(entries.filter(({ href }) => href.startsWith('/docs/guides/') && !leads(href, ''))).toEqual([]);
    expect(entries).toContainEqual(expect.objectContaining({ href: '/docs/guides/first-purchase#curl' }));
    expect(entries).toContainEqual(
      expect.objectContaining({
        heading: 'POST /v2/mf_purchases',
        page: expect.stringMatching(/^API reference, MF purchases: Create /),
      }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ heading: 'Responses', page: 'Specification: Payments' }),
    );
    expect(entries).toContainEqual(expect.objectContaining({ href: '/docs/guides#collection' }));
  });

  it('are made in the image too, whose build sees every file that they are made from', () => {
    const ignore = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8').split('\n');
    const seen = (path: string) =>
      [path, path.split('/', 1).join()].some((one) => ignore.includes(`!${one}`));
    expect(ALL_GUIDES.map(({ file }) => file).filter((file) => !seen(file))).toEqual([]);
    expect(ignore.filter((line) => line.startsWith('docs'))).toEqual([]);
  });

  /** Whether a link of that page has a target: a file of the site, and in it the fragment. */
  function leads(link: string, html: string): boolean {
    const [path = '', fragment] = link.split('#');
    if (ELSEWHERE.includes(path)) return true;
    const name = path === '/docs/guides' ? 'index' : path.slice('/docs/guides/'.length);
    const target = path === '' ? html : (files.get(`${name}.html`) ?? files.get(name))?.toString('utf8');
    return target !== undefined && (fragment === undefined || target.includes(` id="${fragment}"`));
  }
});
