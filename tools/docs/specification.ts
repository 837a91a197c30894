import { GENERATED, table } from './markdown.ts';

/** A file by its path in the repository. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** One rule of `docs/specification`. */
export interface Rule {
  readonly id: string;
  /** The path of its page. */
  readonly page: string;
  readonly text: string;
}

/** Sections of texts that are not in the repository. */
const OUTSIDE = /\b(?:contract|architecture|interface),?\s(?:§ ?[\d.]*\d|rules? \d+)/gi;
const DEFINITION = /^- \*\*([A-Z]+-\d+)\*\* (.+)$/gm;

/** The rules that the pages define, in their order. A rule that is defined twice is there twice. */
export function rulesOf(pages: readonly TextFile[]): Rule[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(DEFINITION)].map(([, id = '', said = '']) => ({ id, page: path, text: said })),
  );
}

/** The ids with a prefix of the rules that a text cites, each once. `PAY-2 to PAY-5` cites all from the first to the last. */
export function citedIn(text: string, rules: readonly Rule[]): string[] {
  const prefixes = [...new Set(rules.map(({ id }) => prefixOf(id)))].join('|');
  if (prefixes === '') return [];
  const citation = new RegExp(`(?<![\\w-])(${prefixes})-(\\d+)(?: to \\1-(\\d+))?(?![\\w-])`, 'g');
  const ids = [...text.matchAll(citation)].flatMap(([, prefix = '', first = '', last = first]) =>
    Array.from(
      { length: Math.max(Number(last) - Number(first), 0) + 1 },
      (_, step) => `${prefix}-${Number(first) + step}`,
    ),
  );
  return [...new Set(ids)];
}

/**
 * A sentence for each id that is defined twice, each prefix of two pages, and each citation of an id that is not defined or of a
 * text that is not in the repository.
 */
export function specificationFaults(pages: readonly TextFile[], citing: readonly TextFile[]): string[] {
  const rules = rulesOf(pages);
  const defined = new Map<string, string>();
  const homes = new Map<string, string>();
  const faults: string[] = [];
  for (const { id, page } of rules) {
    const before = defined.get(id);
    if (before !== undefined) faults.push(`${id} is defined twice: in ${before} and ${page}`);
    defined.set(id, page);
    const home = homes.get(prefixOf(id)) ?? page;
    if (home !== page) faults.push(`${id} is in ${page}, but ${home} has its prefix`);
    homes.set(prefixOf(id), home);
  }
  for (const { path, text } of citing) {
    for (const id of citedIn(text, rules))
      if (!defined.has(id)) faults.push(`${path} cites ${id}, which docs/specification does not define`);
    for (const [outside] of text.matchAll(OUTSIDE))
      faults.push(`${path} cites "${outside}": cite a rule of docs/specification`);
  }
  return faults;
}

/**
 * `docs/specification/untested.md`: the rules that no test cites by their id, with the reason where there is one. Throws when a reason
 * is given for a rule that a test cites, or that is not defined.
 */
export function untestedPage(
  pages: readonly TextFile[],
  tests: readonly TextFile[],
  reasons: Readonly<Record<string, string>>,
): string {
  const rules = rulesOf(pages);
  const cited = new Set(tests.flatMap(({ text }) => citedIn(text, rules)));
  const uncited = rules.filter(({ id }) => !cited.has(id));
  const needless = Object.keys(reasons).filter((id) => !uncited.some((rule) => rule.id === id));
  if (needless.length > 0) throw new Error(`a test cites ${needless.join(', ')}, so no reason is needed`);
  const unexplained = uncited.filter(({ id }) => reasons[id] === undefined).map(({ id }) => id);
  return [
    '# Rules that no test cites',
    GENERATED,
    `A test cites a rule when its id is in the test's title or in a comment of its file. ${uncited.length} of ${rules.length} rules are not cited.`,
    table(
      ['Rule', 'Why'],
      uncited.flatMap(({ id, page }) => {
        const name = page.slice(page.lastIndexOf('/') + 1);
        return reasons[id] === undefined ? [] : [[`[${id}](${name})`, reasons[id]]];
      }),
    ),
    ...(unexplained.length > 0 ? [`Without a test or a reason so far: ${unexplained.join(', ')}.`] : []),
  ].join('\n\n');
}

function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}
