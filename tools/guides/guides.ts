import { readdirSync } from 'node:fs';

/** A page below `/docs/guides/`, and the Markdown file that it is made from. */
export interface Guide {
  /** The last part of its address. */
  readonly slug: string;
  /** From the root of the repository. Its first heading is the title. */
  readonly file: string;
}

/** The navigation, in its order. A document that is a guide as it stands is not written twice. */
export const GUIDES: Readonly<Record<string, readonly Guide[]>> = {
  Start: [
    { slug: 'first-purchase', file: 'docs/guides/first-purchase.md' },
    { slug: 'new-investor', file: 'docs/guides/new-investor.md' },
    { slug: 'test-data', file: 'docs/guides/test-data.md' },
    { slug: 'sandbox-operator', file: 'docs/guides/sandbox-operator.md' },
    { slug: 'sandbox-clock', file: 'docs/operations/sandbox-clock.md' },
    { slug: 'clients', file: 'docs/clients.md' },
  ],
  'Take payments': [
    { slug: 'checkout', file: 'docs/checkout.md' },
    { slug: 'sdk-checkout', file: 'docs/sdk.md' },
    { slug: 'mandates', file: 'docs/mandates.md' },
    { slug: 'sip', file: 'docs/plans.md' },
    { slug: 'swp', file: 'docs/swp.md' },
    { slug: 'webhooks', file: 'docs/webhooks.md' },
  ],
  'Be prepared': [
    { slug: 'failure-codes', file: 'docs/guides/failure-codes.md' },
    { slug: 'errors', file: 'docs/errors.md' },
    { slug: 'idempotency', file: 'docs/guides/idempotency.md' },
    { slug: 'versioning', file: 'docs/guides/versioning.md' },
    { slug: 'changelog', file: 'CHANGELOG.md' },
    { slug: 'migrate', file: 'docs/migrate.md' },
  ],
  Reference: [
    { slug: 'states', file: 'docs/states.md' },
    { slug: 'events', file: 'docs/events.md' },
    { slug: 'policies', file: 'docs/policies.md' },
    { slug: 'glossary', file: 'docs/glossary.md' },
  ],
  'In depth': [
    { slug: 'specification', file: 'docs/specification/README.md' },
    { slug: 'operations', file: 'docs/operations/README.md' },
    { slug: 'decisions', file: 'docs/decisions/README.md' },
  ],
};

/** Those of the navigation. */
export const WRITTEN_GUIDES: readonly Guide[] = Object.values(GUIDES).flat();

/** Folders below `docs/` to which guides link. Each page of them is served; the navigation has the `README.md`, which lists the others. */
export const FOLDERS = ['specification', 'operations', 'decisions'] as const;

/** What the navigation has an index of. */
export const PAGES_OF_FOLDERS: readonly Guide[] = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(`../../docs/${folder}`, import.meta.url))
    .sort()
    .map((name) => ({
      slug: name === 'README.md' ? folder : `${folder}-${name.replace(/\.md$/, '')}`,
      file: `docs/${folder}/${name}`,
    })),
).filter(({ file }) => !WRITTEN_GUIDES.some((guide) => guide.file === file));

/** Every page. */
export const ALL_GUIDES: readonly Guide[] = [...WRITTEN_GUIDES, ...PAGES_OF_FOLDERS];

/** Where a file of the repository is served, by its path from the root. */
export const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ...ALL_GUIDES.map(({ slug, file }) => [file, `/docs/guides/${slug}`] as const),
  ['docs/openapi.json', '/openapi.json'],
  ['docs/asyncapi.json', '/asyncapi.json'],
]);

/** Sections that a guide repeats for readers of the site. */
export const SAME_SECTIONS: ReadonlyMap<string, string> = new Map([
  ['README.md#the-first-five-calls', '/docs/guides/first-purchase#curl'],
]);

/** The collection for Postman, beside the guides. */
export const POSTMAN_FILE = 'fundrail.postman_collection.json';
