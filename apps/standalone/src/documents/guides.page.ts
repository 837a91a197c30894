import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { notFound, type Handler } from '../edge/edge.ts';
import { sendHtml } from '../pages/html.ts';
import { sendFile } from './docs.page.ts';
import { READER_POLICY } from './reader.ts';

/** Written by the build (tools/guides), and not compiled. */
const FOLDER = new URL('../../dist/guides/', import.meta.url);

/** Answers `/docs/guides`, the page of each guide by its name, also with a slash at its end, and their files. The first request reads all of them. */
export function guides(): Handler {
  let files: ReadonlyMap<string, Buffer> | null = null;
  return (request, response) => {
    files ??= new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER))]));
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const name = path.replace(/^\/docs\/guides\/?/, '');
    const page = name.includes('.')
      ? undefined
      : files.get(`${name.replace(/(?<=.)\/$/, '') || 'index'}.html`);
    const file = extname(name) === '.html' ? undefined : files.get(name);
    if (page) sendHtml(response, page, READER_POLICY);
    else if (file) sendFile(response, extname(name)).end(file);
    else notFound(request, response);
  };
}
