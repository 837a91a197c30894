import { documentsBar } from '../../apps/standalone/src/documents/reader.ts';
import { escaped } from './escaped.ts';
import { FOLDERS, GUIDES, POSTMAN_FILE } from './guides.ts';

/** A whole page around the content of its `main`. `titles` names each guide by its slug; `slug` is null for the index. */
export function guidePage(slug: string | null, content: string, titles: ReadonlyMap<string, string>): string {
  const title = slug === null ? 'Guides' : (titles.get(slug) ?? '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · fundrail</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/guides/guides.css">
<script src="/docs/guides/search.js" defer></script>
</head>
<body class="site">
<a class="skip" href="#content">Skip to the content</a>
${documentsBar()}
<div class="columns">
<nav class="guides" aria-label="Guides">${navigation(slug, titles)}</nav>
<main id="content">
${content}</main>
</div>
</body>
</html>
`;
}

function navigation(current: string | null, titles: ReadonlyMap<string, string>): string {
  const item = (slug: string) => {
    const here =
      slug === current ? ' aria-current="page"' : isIndexOf(slug, current) ? ' aria-current="true"' : '';
    return `<li><a href="/docs/guides/${slug}"${here}>${escaped(titles.get(slug) ?? '')}</a></li>`;
  };
  // No headings: those of a page are its own.
  return groups(item, (name) => `<p class="group">${name}</p>`);
}

/** Whether the navigation has that index in place of the current page. */
function isIndexOf(slug: string, current: string | null): boolean {
  return FOLDERS.some((folder) => folder === slug) && current?.startsWith(`${slug}-`) === true;
}

/** The content of `/docs/guides`. */
export function indexContent(
  titles: ReadonlyMap<string, string>,
  summaries: ReadonlyMap<string, string>,
): string {
  const item = (slug: string) =>
    `<li><a href="/docs/guides/${slug}">${escaped(titles.get(slug) ?? '')}</a><br>${escaped(summaries.get(slug) ?? '')}</li>`;
  const listed = groups(item, (name) => `<h2>${name}</h2>`);
  return `<h1 id="guides">Guides</h1>
<p>How to use fundrail, step by step. The <a href="/docs">API reference</a> has every operation, and in a sandbox it calls them.</p>
<p>For Postman: <a id="collection" href="/docs/guides/${POSTMAN_FILE}" download>the collection of all operations</a>, made from
<a href="/openapi.json">openapi.json</a> with its examples. Its variable <code>base</code> is the address of this page. A sandbox fills in its client too; elsewhere
put your own into <code>tenant</code>, <code>client_id</code> and <code>client_secret</code>. Send the request for a token first.</p>
<script src="/docs/guides/collection.js" defer></script>
<div class="index">${listed}</div>
`;
}

function groups(item: (slug: string) => string, title: (name: string) => string): string {
  return Object.entries(GUIDES)
    .map(
      ([name, guides]) => `${title(escaped(name))}<ul>${guides.map(({ slug }) => item(slug)).join('')}</ul>`,
    )
    .join('\n');
}
