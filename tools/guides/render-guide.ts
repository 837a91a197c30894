import { Marked, type Token, type Tokens } from 'marked';
import { posix } from 'node:path';
import { diagram } from './diagrams/diagram.ts';
import { escaped } from './escaped.ts';
import { ADDRESSES, SAME_SECTIONS } from './guides.ts';

/** A heading and what stands under it, for the search. */
export interface Section {
  readonly heading: string;
  /** Of the heading in the page; empty for the title. */
  readonly id: string;
  readonly text: string;
}

interface RenderedGuide {
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly summary: string;
  /** The content of the page's `main`. */
  readonly html: string;
  readonly sections: readonly Section[];
  /** Pictures that it shows, from the root of the repository. */
  readonly pictures: readonly string[];
}

/**
 * Renders a Markdown file of the repository. `file` is its path from the root: relative links start there. A link to a file that is
 * not served becomes its text, so that no link of the page is dead. Comments
 * are left out. Throws on other raw HTML, such as `<name>` outside of backticks: a reader would miss it.
 */
export function renderGuide(file: string, markdown: string): RenderedGuide {
  const ids = new Map<Token, string>();
  const pictures: string[] = [];
  let heading = '';
  const marked = new Marked({
    renderer: {
      html({ text }) {
        const shown = text.replaceAll(/<!--[^]*?-->/g, '').trim();
        if (shown !== '') throw new Error(`${file} has raw HTML, which no reader would see: ${shown}`);
        return '';
      },
      heading(token) {
        const inner = this.parser.parseInline(token.tokens);
        heading = plainText([token]);
        return `<h${token.depth} id="${ids.get(token) ?? ''}">${inner}</h${token.depth}>\n`;
      },
      // A wide block scrolls by itself, and so has to be reachable by the keyboard.
      code: ({ text, lang }) =>
        lang === 'mermaid'
          ? `<div class="wide" tabindex="0">${diagram(`Diagram: ${heading}`, text)}</div>\n`
          : block(text),
      table(token) {
        // A corner without words is no header.
        const head = token.header.map((cell) =>
          cell.text === '' ? '<td></td>' : `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`,
        );
        const rows = token.rows.map(
          (row) =>
            `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>`,
        );
        return `<div class="wide" tabindex="0"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
      },
      link(token) {
        const inner = this.parser.parseInline(token.tokens);
        const address = addressOf(file, token.href);
        return address === null ? inner : `<a href="${escaped(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        const path = posix.join(posix.dirname(file), href);
        pictures.push(path);
        return `<img src="/docs/guides/${escaped(posix.basename(path))}" alt="${escaped(text)}" loading="lazy">`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  nameHeadings(tokens, ids);
  const sections = sectionsOf(tokens, ids);
  const paragraph = tokens.find((token) => token.type === 'paragraph');
  const html = marked.parser(tokens);
  return {
    title: sections[0]?.heading ?? '',
    summary: paragraph ? plainText([paragraph]) : '',
    ...{ html, sections, pictures },
  };
}

/** Where a link of that file leads on the site; null when its target is not served. */
function addressOf(file: string, href: string): string | null {
  if (/^(https:|#)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  const same = SAME_SECTIONS.get(`${target}#${fragment ?? ''}`);
  if (same !== undefined) return same;
  const address = ADDRESSES.get(target);
  if (address === undefined) return null;
  return fragment === undefined ? address : `${address}#${fragment}`;
}

const block = (text: string) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;

/** As GitHub names headings, so that a link works in the repository and on the site. */
function nameHeadings(tokens: readonly Token[], ids: Map<Token, string>): void {
  const seen = new Map<string, number>();
  for (const token of tokens.filter((one) => one.type === 'heading')) {
    const name = plainText([token])
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    ids.set(token, times === 0 ? name : `${name}-${times}`);
  }
}

function sectionsOf(tokens: readonly Token[], ids: ReadonlyMap<Token, string>): readonly Section[] {
  const sections: { heading: string; id: string; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading')
      sections.push({
        heading: plainText([token]),
        id: sections.length === 0 ? '' : (ids.get(token) ?? ''),
        text: '',
      });
    else if (token.type !== 'code') {
      const last = sections.at(-1);
      if (last) last.text = `${last.text} ${plainText([token])}`.trim();
    }
  }
  return sections;
}

/** The words of tokens without markup and links. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].flatMap((row) => row.map((cell) => plainText(cell.tokens))).join(' ');
      }
      if (token.type === 'list')
        return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
      if ('tokens' in token) return plainText(token.tokens);
      if (token.type === 'html' || token.type === 'space') return '';
      return 'text' in token && typeof token.text === 'string' ? token.text : '';
    })
    .join('')
    .replaceAll(/\s+/g, ' ');
}
