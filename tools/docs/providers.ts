import {
  callbacksTo,
  PROVIDER_IDS,
  providerNameOf,
  providerUrlVariable,
  secretsOfProvider,
  type Provider,
} from '@fundrail/contracts';
import { existsSync } from 'node:fs';
import { table } from './markdown.ts';

const ROOT = new URL('../../', import.meta.url);
const REPORTS = [...callbacksTo('payments'), ...callbacksTo('mandates')];

/** The providers as their operator sees them, for a page in `docs/operations`. */
export function providersTable(): string {
  const head = ['Provider', '`provider_name`', 'Address', 'Secrets', 'Reports to', 'Its page'];
  return `\n${table(head, PROVIDER_IDS.map(rowOf))}\n\n`;
}

function rowOf(provider: Provider): string[] {
  const reports = REPORTS.filter((report) => report.provider === provider).map(({ path }) => path);
  return [
    `\`${provider}\``,
    `\`${providerNameOf(provider)}\``,
    `\`${providerUrlVariable(provider)}\``,
    codes(Object.keys(secretsOfProvider(provider))),
    codes(reports),
    pageOf(provider),
  ];
}

/** The page in the provider's folder, where it has one. */
function pageOf(provider: Provider): string {
  const path = `libs/providers/src/${provider}/README.md`;
  return existsSync(new URL(path, ROOT)) ? `[README](../../${path})` : '';
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
