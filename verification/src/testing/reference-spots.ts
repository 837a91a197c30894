/** Where a request of an operation may name an object: a path parameter, a query parameter, a field of the body (`a.[].b`). */
export interface Spot {
  readonly operation: string;
  readonly part: 'path' | 'query' | 'body';
  readonly name: string;
  /** The kind of object: a prefix of ids such as `mfp`, else the field's own name. */
  readonly kind: string;
}

interface Schema {
  readonly $ref?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Operation {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Query parameters that filter the caller's own objects and name none. */
const NO_REFERENCE =
  /^(limit|page|size|from|to|states|status|event|type|object_type|pan|primary_investor_pan|direction|payment_type|payment_status|lang|go|txnId|txnType)$/;
const ID_PATTERN = /^\^([a-z]+)_\[0-9a-f\]/;
/** A client's own reference for an object that it creates: unique for each tenant. */
const OWN_WORD = 'source_ref_id';

/** `METHOD /path` of every operation. */
export function operationsOf({
  paths,
}: ApiDescription): { readonly name: string; readonly operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

/** Every place of an operation that may name an object. An unknown query parameter counts as one. */
export function spotsOf(document: ApiDescription, name: string, operation: Operation): Spot[] {
  const spot = (part: Spot['part'], at: string, kind: string): Spot => ({
    operation: name,
    part,
    name: at,
    kind,
  });
  const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, at = '']) => spot('path', at, at));
  const inQuery = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && !NO_REFERENCE.test(parameter.name))
    .map(({ name: at, schema }) => spot('query', at, prefixOf(schema) ?? at));
  const body = operation.requestBody?.content['application/json']?.schema;
  const inBody = body ? fieldsOf(document, body).map(([at, kind]) => spot('body', at, kind)) : [];
  return [...inPath, ...inQuery, ...inBody];
}

function prefixOf(schema: Schema | undefined): string | undefined {
  return ID_PATTERN.exec(schema?.pattern ?? '')?.[1];
}

/** The fields that name an object, each once, with its kind. */
function fieldsOf(document: ApiDescription, schema: Schema): [at: string, kind: string][] {
  const found = new Map<string, string>();
  const look = (at: string, one: Schema): void => {
    const whole = one.$ref ? document.components.schemas[one.$ref.split('/').at(-1) ?? ''] : one;
    if (!whole) throw new Error(`${one.$ref ?? ''} is not there`);
    for (const choice of [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.allOf ?? [])])
      look(at, choice);
    for (const [name, field] of Object.entries(whole.properties ?? {}))
      look(at === '' ? name : `${at}.${name}`, field);
    if (whole.items) look(`${at}.[]`, whole.items);
    const kind = prefixOf(whole) ?? nameOf(at);
    if (kind !== undefined && !whole.items) found.set(at, kind);
  };
  look('', schema);
  return [...found];
}

/** A field that names an object by its own name: `mandate_id`, `amc_order_ids.[]`. */
function nameOf(at: string): string | undefined {
  const name = at.replace('.[]', '').split('.').at(-1) ?? '';
  return /(^|_)ids?$/.test(name) && name !== OWN_WORD ? name : undefined;
}
