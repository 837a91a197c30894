// Writes docs/states.md, docs/errors.md and docs/events.md from the tables that the code runs on.
// `--check` writes nothing and exits with 1 when a page is not what would be written.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { errorsPage } from './docs/errors.ts';
import { eventsPage } from './docs/events.ts';
import { statesPage } from './docs/states.ts';

const FOLDER = new URL('../docs/', import.meta.url);
const PAGES = { 'states.md': statesPage, 'errors.md': errorsPage, 'events.md': eventsPage };

function current(page: string): string | null {
  try {
    return readFileSync(new URL(page, FOLDER), 'utf8');
  } catch {
    return null;
  }
}

const options = (await resolveConfig(new URL('../package.json', import.meta.url))) ?? {};
const pages = await Promise.all(
  Object.entries(PAGES).map(async ([name, write]) => ({
    name,
    text: await format(write(), { ...options, parser: 'markdown' }),
  })),
);
const stale = pages.filter(({ name, text }) => current(name) !== text);

if (process.argv.includes('--check')) {
  for (const { name } of stale) console.error(`docs/${name} is not what the code says: run npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, text } of stale) writeFileSync(new URL(name, FOLDER), text);
  console.log(stale.length > 0 ? `written: ${stale.map(({ name }) => name).join(', ')}` : 'docs are fresh');
}
