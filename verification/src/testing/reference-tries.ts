import { namesIn, unknownIdLike, parameterOf, requestWith, type Names } from './foreign-requests.ts';
import type { Requests, ValidRequest } from './operation-requests.ts';
import { operationsOf, spotsOf, type ApiDescription, type Spot } from './reference-spots.ts';

/** One spot of an operation, requested with another tenant's object and with a missing one. Everything else belongs to the caller. */
export interface ReferenceTry {
  readonly spot: Spot;
  readonly foreign: ValidRequest;
  readonly missing: ValidRequest;
  /** The two values of the spot, to be removed from the answers. */
  readonly values: readonly [foreign: string, missing: string];
}

/** Spots without an id's pattern, and their kinds. */
const KINDS: Readonly<Record<string, string>> = {
  id: 'mfr',
  plan: 'mfr',
  starting_after: 'mfr',
  object_id: 'mfp',
  // An order that has to be among the orders of the same request.
  amc_order_id: 'amc_order_ids',
};

interface Tried {
  readonly tries: readonly ReferenceTry[];
  /** `part name` of spots without an object of another tenant: a new spot needs a line in `objectsOf`. */
  readonly uncovered: readonly string[];
}

/** Tries for every spot of those operations. `theirs` and `own`: the objects of the two tenants. */
export function triesOf(
  document: ApiDescription,
  requests: Readonly<Requests>,
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
  readonly request: ValidRequest;
  readonly spot: Spot;
  readonly value: string | number;
  readonly others: Values;
}): ReferenceTry {
  const { request, spot, value, others } = parts;
  const none = unknownIdLike(value);
  return {
    spot,
    foreign: requestWith(request, new Map([...others, [spot, value]])),
    missing: requestWith(request, new Map([...others, [spot, none]])),
    values: [String(value), String(none)],
  };
}

/** What the caller puts into the other spots of the request: its own objects, or a missing id where it has none. */
function ownIn(request: ValidRequest, spots: readonly Spot[], but: Spot, own: Names): Values {
  const values = new Map<Spot, string | number>();
  for (const spot of spots) {
    const theirs = spot === but || spot.part === 'query' ? undefined : valueIn(request, spot);
    if (theirs === undefined) continue;
    const prefix = String(theirs).split('_')[0] ?? '';
    values.set(spot, own.get(prefix) ?? own.get(spot.kind) ?? unknownIdLike(theirs));
  }
  return values;
}

/** The value of that spot in the owner's own request. */
function valueIn({ path, body }: ValidRequest, spot: Spot): string | number | undefined {
  if (spot.part === 'path') return parameterOf(path, spot);
  if (spot.part === 'query') return undefined;
  let at: unknown = body;
  for (const name of spot.name.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[name === '[]' ? '0' : name];
  }
  return typeof at === 'string' || typeof at === 'number' ? at : undefined;
}
