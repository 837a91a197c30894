import { ALL_GUIDES } from './guides.ts';
import { operationsOf, type OpenApi } from './openapi-document.ts';
import type { Section } from './render-guide.ts';

/** What `search.js` looks through: a section of a guide, or an operation of the API. */
interface SearchEntry {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

/** Every section of the guides, in their order, and then every operation. `sections` is by slug. */
export function searchEntries(
  sections: ReadonlyMap<string, readonly Section[]>,
  document: OpenApi,
): readonly SearchEntry[] {
  const ofGuides = ALL_GUIDES.flatMap(({ slug }) => {
    const all = sections.get(slug) ?? [];
    const page = all[0]?.heading ?? '';
    return all.map(({ heading, id, text }) => {
      const href = `/docs/guides/${slug}${id === '' ? '' : `#${id}`}`;
      return { page, heading, href, text };
    });
  });
  const ofOperations = operationsOf(document).map(({ path, method, operation }) => ({
    page: `API reference, ${operation.tags[0] ?? ''}`,
    heading: `${method.toUpperCase()} ${path}`,
    href: `/docs#/${encodeURIComponent(operation.tags[0] ?? '')}/${operation.operationId}`,
    text: `${operation.summary} ${operation.description ?? ''}`,
  }));
  return [...ofGuides, ...ofOperations];
}
