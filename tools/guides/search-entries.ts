import { FOLDERS, PAGES_OF_FOLDERS, WRITTEN_GUIDES, type Guide } from './guides.ts';
import { operationsOf, type OpenApi } from './openapi-document.ts';
import type { Section } from './render-guide.ts';

/** What `search.js` looks through: a section of a guide, or an operation of the API. */
interface SearchEntry {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

/** What stands before the title of a page in depth: guides have the same titles. */
const WORDS = { specification: 'Specification', operations: 'For operators', decisions: 'Decision' } as const;

/** What the index of the guides offers besides them. */
const OF_INDEX: SearchEntry = {
  page: 'Guides',
  heading: 'The collection for Postman',
  href: '/docs/guides#collection',
  text: 'All operations, to import into Postman',
};

/**
 * Every section of the guides, every operation, and then what goes into depth: the search prefers what is first. Decision records are read from
 * where they are linked. `sections` is by slug.
 */
export function searchEntries(
  sections: ReadonlyMap<string, readonly Section[]>,
  document: OpenApi,
): readonly SearchEntry[] {
  const ofPages = (pages: readonly Guide[]) =>
    pages.flatMap(({ slug }) => {
      const all = sections.get(slug) ?? [];
      const title = all[0]?.heading ?? '';
      const folder = FOLDERS.find((name) => slug.startsWith(`${name}-`));
      const page = folder === undefined ? title : `${WORDS[folder]}: ${title}`;
      return all.map(({ heading, id, text }) => {
        const href = `/docs/guides/${slug}${id === '' ? '' : `#${id}`}`;
        return { page, heading, href, text };
      });
    });
  const inDepth = PAGES_OF_FOLDERS.filter(({ slug }) => !slug.startsWith('decisions-'));
  const ofOperations = operationsOf(document).map(({ path, method, operation }) => ({
    page: `API reference, ${operation.tags[0] ?? ''}: ${operation.summary}`,
    heading: `${method.toUpperCase()} ${path}`,
    href: `/docs#/${encodeURIComponent(operation.tags[0] ?? '')}/${operation.operationId}`,
    text: operation.description ?? '',
  }));
  return [...ofPages(WRITTEN_GUIDES), OF_INDEX, ...ofOperations, ...ofPages(inDepth)];
}
