import type { Requests, ValidRequest } from './operation-requests.ts';
import type { Spot } from './reference-spots.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
/** The ids of one tenant's objects by kind: a text or an integer. */
export type Names = ReadonlyMap<string, string | number>;

const PREFIXED = /\b([a-z]+)_[0-9a-f]{32}\b/g;

/** Every id in the requests of a tenant, by its kind. */
export function namesIn(requests: Readonly<Requests>): Map<string, string | number> {
  const names = new Map<string, string | number>();
  for (const [whole, prefix = ''] of JSON.stringify(requests).matchAll(PREFIXED)) names.set(prefix, whole);
  for (const { body } of Object.values(requests))
    for (const [name, value] of Object.entries(body ?? {})) {
      const [first] = [value].flat() as unknown[];
      if (/_ids?$/.test(name) && typeof first === 'number') names.set(name, first);
    }
  return names;
}

/** An id of the same form that does not exist. */
export function unknownIdLike(value: string | number): string | number {
  return typeof value === 'number' || /^\d+$/.test(value) ? 999_999_999 : value.replace(/.{8}$/, '00000001');
}

/** The request of an operation with these ids in its spots; a spot without an id stays as it is. */
export function requestWith(
  { path, body }: ValidRequest,
  values: ReadonlyMap<Spot, string | number>,
): ValidRequest {
  let [where, sent] = [path, body === undefined ? undefined : (structuredClone(body) as Json)];
  const query = new URLSearchParams();
  for (const [spot, value] of values) {
    if (spot.part === 'path') where = withParameter(where, spot, String(value));
    else if (spot.part === 'query') query.set(spot.name, String(value));
    else sent = withField(sent ?? {}, spot.name.split('.'), value);
  }
  const asked = query.size > 0 ? `${where}?${query.toString()}` : where;
  return { path: asked, ...(sent === undefined ? {} : { body: sent as object }) };
}

/** The value of a path parameter. */
export function parameterOf(path: string, { operation, name }: Spot): string {
  return path.split('/')[placeOf(operation, name)] ?? '';
}

function withParameter(path: string, { operation, name }: Spot, value: string): string {
  return path.split('/').with(placeOf(operation, name), value).join('/');
}

function placeOf(operation: string, name: string): number {
  return (operation.split(' ')[1] ?? '').split('/').indexOf(`{${name}}`);
}

function withField(json: Json, [name = '', ...rest]: readonly string[], value: string | number): Json {
  const next = (inner: Json | undefined) => (rest.length === 0 ? value : withField(inner ?? {}, rest, value));
  if (name === '[]') return [next(Array.isArray(json) ? json[0] : undefined)];
  const whole = typeof json === 'object' && !Array.isArray(json) ? json : {};
  return { ...whole, [name]: next(whole?.[name]) };
}
