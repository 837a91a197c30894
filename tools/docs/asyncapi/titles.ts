/** A schema inside the document with its path as its title, `PaymentUpi`: generators name classes and enumerations by it. */
export function titled(path: string, schema: object): object {
  return { ...(isNamed(schema) && { title: inPascal(path) }), ...titledInside(path, schema) };
}

/** A schema whose name is known otherwise, with titles for those inside it. */
export function titledInside(path: string, schema: object): object {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]: [string, unknown]) => [key, withTitles(path, key, value)]),
  );
}

function withTitles(path: string, key: string, value: unknown): unknown {
  if (key === 'items' && isObject(value)) return titled(`${path}.item`, value);
  if (key === 'properties' && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [name, titled(`${path}.${name}`, schema)]),
    );
  if (!['anyOf', 'allOf', 'oneOf'].includes(key) || !Array.isArray(value)) return value;
  const choices = (value as { readonly type?: unknown }[]).filter(({ type }) => type !== 'null');
  return value.map((schema: object, at) => titled(choices.length > 1 ? `${path}.${at + 1}` : path, schema));
}

/** Whether a generator makes a type of it. */
function isNamed(schema: object): boolean {
  const type = 'type' in schema ? schema.type : undefined;
  return [type].flat().includes('object') || ['properties', 'enum', 'allOf'].some((key) => key in schema);
}

const isObject = (value: unknown): value is Record<string, object> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inPascal = (path: string) =>
  path
    .split(/[._-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
