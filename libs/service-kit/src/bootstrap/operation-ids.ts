import type { OpenAPIObject } from '@nestjs/swagger';

/** What stands before the objects in a path. */
const PREFIX = /^\/(v2|api\/pg|api\/oms|admin)\//;
const VERBS = { get: 'get', post: 'create', patch: 'update', put: 'update', delete: 'delete' } as const;
type Method = keyof typeof VERBS;

/**
 * Names every operation by a verb and its object (OPS-11): `listPayments`, `cancelMfRedemptionPlan`. A route whose path does not say it
 * declares its name. Clients are generated with these names, so the name of a published route never changes.
 */
export function nameOperations(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths))
    for (const method of Object.keys(VERBS) as Method[]) {
      const operation = item[method];
      if (operation) operation.operationId ||= operationId(method, path);
    }
}

/**
 * The name by its path. A last word that is no plural is the verb of a POST (`/payments/{id}/cancel`). A PATCH of one object is the second
 * way to that of its collection, whose body has the id, and is named `…ById`.
 */
export function operationId(method: Method, path: string): string {
  const segments = path.replace(PREFIX, '').replace(/^\//, '').split('/');
  const words = segments.filter((segment) => !segment.startsWith('{'));
  const isOne = segments.at(-1)?.startsWith('{') === true;
  const last = words.pop() ?? '';
  const owners = words.map(singularOf);
  if (segments[0] === 'callbacks')
    return camel(['receive', ...owners.slice(1), singularOf(last), 'callback']);
  if (last === 'batch') return camel([VERBS[method], ...owners.slice(0, -1), ...words.slice(-1)]);
  if (isOne) return camel([VERBS[method], ...owners, singularOf(last)]) + (method === 'patch' ? 'ById' : '');
  const isPlural = singularOf(last) !== last;
  if (method === 'get') return camel([isPlural ? 'list' : 'get', ...owners, last]);
  if (isPlural) return camel([VERBS[method], ...owners, singularOf(last)]);
  const [verb = '', ...object] = last.split('_');
  return camel([verb, ...owners, ...object]);
}

function singularOf(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** `['list', 'mf_purchases']` → `listMfPurchases`. */
export function camel(words: readonly string[]): string {
  return words.join('_').replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
