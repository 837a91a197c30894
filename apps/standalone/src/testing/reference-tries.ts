import { namesIn, nobodys, parameterOf, requestWith, type Names } from './foreign-requests.ts';
import type { ObjectOf } from './objects-of-a-tenant.ts';
import { operationsOf, spotsOf, type ApiDescription, type Spot } from './reference-spots.ts';

interface Request {
  readonly path: string;
  readonly body?: object;
}

/** One spot of an operation, asked for with somebody else's object and with nobody's. Everything else is the caller's own. */
export interface ReferenceTry {
  readonly spot: Spot;
  readonly foreign: Request;
  readonly nobodys: Request;
  /** What stands in the spot, to be taken out of the answers. */
  readonly values: readonly [foreign: string, nobodys: string];
}

/** Spots without an id's pattern, and what they name. */
const KINDS: Readonly<Record<string, string>> = {
  id: 'mfr',
  plan: 'mfr',
  starting_after: 'mfr',
  object_id: 'mfp',
};

export interface Tried {
  readonly tries: readonly ReferenceTry[];
  /** `part name` of spots for which there is no object of somebody else: a new one needs a line in `objectsOf`. */
  readonly uncovered: readonly string[];
}

/** Tries for every spot of those operations. `theirs` and `own`: the objects of the two tenants. */
export function triesOf(
  document: ApiDescription,
  requests: Readonly<Record<string, ObjectOf>>,
  own: Names,
  further: Names,
): Tried {
  const theirs = new Map([...namesIn(requests), ...further]);
  const tries: ReferenceTry[] = [];
  const uncovered: string[] = [];
  for (const { name, operation } of operationsOf(document)) {
    const request = requests[name];
    if (!request) continue;
    const spots = spotsOf(document, name, operation);
    for (const spot of spots) {
      const value = valueIn(request, spot) ?? theirs.get(KINDS[spot.kind] ?? spot.kind);
      if (value === undefined) uncovered.push(`${name}: ${spot.part} ${spot.name}`);
      else tries.push(tryOf({ request, spot, value, others: ownIn(request, spots, spot, own) }));
    }
  }
  return { tries, uncovered };
}

type Values = ReadonlyMap<Spot, string | number>;

function tryOf(parts: {
  readonly request: ObjectOf;
  readonly spot: Spot;
  readonly value: string | number;
  readonly others: Values;
}): ReferenceTry {
  const { request, spot, value, others } = parts;
  const none = nobodys(value);
  return {
    spot,
    foreign: requestWith(request, new Map([...others, [spot, value]])),
    nobodys: requestWith(request, new Map([...others, [spot, none]])),
    values: [String(value), String(none)],
  };
}

/** What the caller puts into the other spots of the request: its own objects, and nobody's where it has none. */
function ownIn(request: ObjectOf, spots: readonly Spot[], but: Spot, own: Names): Values {
  const values = new Map<Spot, string | number>();
  for (const spot of spots) {
    const theirs = spot === but || spot.part === 'query' ? undefined : valueIn(request, spot);
    if (theirs === undefined) continue;
    const prefix = String(theirs).split('_')[0] ?? '';
    values.set(spot, own.get(prefix) ?? own.get(spot.kind) ?? nobodys(theirs));
  }
  return values;
}

/** What stands in that spot of the owner's own request. */
function valueIn([path, body]: ObjectOf, spot: Spot): string | number | undefined {
  if (spot.part === 'path') return parameterOf(path, spot);
  if (spot.part === 'query') return undefined;
  let at: unknown = body;
  for (const name of spot.name.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[name === '[]' ? '0' : name];
  }
  return typeof at === 'string' || typeof at === 'number' ? at : undefined;
}
