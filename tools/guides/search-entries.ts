import { PAGES_OF_FOLDERS, WRITTEN_GUIDES, type Guide } from './guides.ts';
import { operationsOf, type OpenApi } from './openapi-document.ts';
import type { Section } from './render-guide.ts';

/** What `search.js` looks through: a section of a guide, or an operation of the API. */
interface SearchEntry {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

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
      const page = all[0]?.heading ?? '';
      return all.map(({ heading, id, text }) => {
        const href = `/docs/guides/${slug}${id === '' ? '' : `#${id}`}`;
        return { page, heading, href, text };
      });
    });
  const inDepth = PAGES_OF_FOLDERS.filter(({ slug }) => !slug.startsWith('decisions-'));
  const ofOperations = operationsOf(document).map(({ path, method, operation }) => ({
    page: `API reference, ${operation.tags[0] ?? ''}`,
    heading: `${method.toUpperCase()} ${path}`,
    href: `/docs#/${encodeURIComponent(operation.tags[0] ?? '')}/${operation.operationId}`,
    text: `${operation.summary} ${operation.description ?? ''}`,
  }));
  return [...ofPages(WRITTEN_GUIDES), ...ofOperations, ...ofPages(inDepth)];
}
