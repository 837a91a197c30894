import { readFileSync } from 'node:fs';
import { isLanguage, type Language } from './toolchains.ts';

const PAGE = new URL('../../../docs/clients.md', import.meta.url);

/** One section of docs/clients.md: how a client is generated and compiled. */
export interface ClientRecipe {
  /** Such as `Go: oapi-codegen`. */
  readonly title: string;
  readonly language: Language;
  /** Shell commands. They run in a folder with `openapi.json`; a command that fails ends them. */
  readonly script: string;
  /** The program that uses the client; the script runs it, with the product's address in `BASE`. Null: the client is only compiled. */
  readonly program: { readonly file: string; readonly text: string } | null;
}

/** The sections `## <language>: <generator>` of a page, in their order. */
function recipesIn(page: string): readonly ClientRecipe[] {
  return page.split(/^## /m).flatMap((section) => {
    const [title = ''] = section.split('\n', 1);
    const [language = ''] = title.split(':', 1);
    const script = /^```sh\n([\s\S]+?)^```/m.exec(section)?.[1];
    if (!isLanguage(language) || script === undefined) return [];
    const [, file, text] = /^```(?:ts|go)\n\/\/ (\S+)\n([\s\S]+?)^```/m.exec(section) ?? [];
    const program = file !== undefined && text !== undefined ? { file, text } : null;
    return [{ title, language, script, program }];
  });
}

/** Those of docs/clients.md. */
export const CLIENT_RECIPES = recipesIn(readFileSync(PAGE, 'utf8'));
