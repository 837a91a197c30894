import { isDeepStrictEqual } from 'node:util';

/** The parts of an OpenAPI 3.1 document that joining reads; the rest is copied. */
export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, object>>;
  readonly components?: object;
  /** The security of every operation that declares none; the same in all services. */
  readonly security?: readonly object[];
}

/**
 * Joins the services' documents into one. `keepPath` returns whether a client may call a path. Two services may both describe a
 * component (a shared schema), but not differently: that throws, because a `$ref` could not distinguish them.
 */
export function joinDocuments(
  documents: readonly ApiDocument[],
  info: object,
  keepPath: (path: string) => boolean,
): ApiDocument {
  const paths: Record<string, object> = {};
  const components: Record<string, Record<string, unknown>> = {};
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths)) if (keepPath(path)) paths[path] = item;
    for (const [kind, named] of Object.entries({ ...document.components }))
      addComponents((components[kind] ??= {}), named as Record<string, unknown>);
  }
  const security = documents[0]?.security ?? [];
  return { openapi: '3.1.0', ...info, security, paths, components };
}

function addComponents(all: Record<string, unknown>, named: Readonly<Record<string, unknown>>): void {
  for (const [name, component] of Object.entries(named)) {
    if (name in all && !isDeepStrictEqual(all[name], component))
      throw new Error(`two services describe ${name} differently`);
    all[name] = component;
  }
}
