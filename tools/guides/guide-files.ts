// The site below `/docs/guides/`, as files. tools/build.mjs writes them beside the compiled standalone; the edge's image copies them.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { guidePage, indexContent } from './guide-page.ts';
import { ALL_GUIDES, POSTMAN_FILE } from './guides.ts';
import { openApi } from './openapi-document.ts';
import { postmanCollection } from './postman-collection.ts';
import { renderGuide } from './render-guide.ts';
import { searchEntries } from './search-entries.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT));

/** Every file of the site by its name: pages, style, search, pictures, and the collection for Postman. */
export function guideFiles(): ReadonlyMap<string, Buffer> {
  const guides = ALL_GUIDES.map(({ slug, file }) => ({
    ...{ slug, ...renderGuide(file, read(file).toString('utf8')) },
  }));
  const titles = new Map(guides.map(({ slug, title }) => [slug, title]));
  const summaries = new Map(guides.map(({ slug, summary }) => [slug, summary]));
  const document = openApi.parse(JSON.parse(read('docs/openapi.json').toString('utf8')));
  const sections = new Map(guides.map(({ slug, sections }) => [slug, sections]));
  const texts: Readonly<Record<string, string>> = {
    'index.html': guidePage(null, indexContent(titles, summaries), titles),
    ...Object.fromEntries(guides.map(({ slug, html }) => [`${slug}.html`, guidePage(slug, html, titles)])),
    'search.json': JSON.stringify(searchEntries(sections, document)),
    [POSTMAN_FILE]: JSON.stringify(postmanCollection(document), null, 2),
  };
  return new Map([
    ...Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const),
    ...['guides.css', 'search.js', 'collection.js'].map(
      (name) => [name, read(`tools/guides/assets/${name}`)] as const,
    ),
    ...guides.flatMap(({ pictures }) => pictures.map((path) => [basename(path), read(path)] as const)),
  ]);
}
