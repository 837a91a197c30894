/** The path of a call. */
export interface Route {
  /** With the values, each encoded: `/orders/mfp_019%2F3`. */
  readonly path: string;
  /** With `{id}` in place of each value, so it is the same for all calls of a kind: `/orders/{id}`. For metrics and traces. */
  readonly template: string;
}

/** A path, written as a template: route`/orders/${reference}`. A value is always one segment: it is encoded. */
export function route(texts: TemplateStringsArray, ...values: readonly string[]): Route {
  return {
    path: String.raw({ raw: texts }, ...values.map(encodeURIComponent)),
    template: texts.join('{id}'),
  };
}

/** The same route below a prefix without values. */
export function below(prefix: string, { path, template }: Route): Route {
  return { path: prefix + path, template: prefix + template };
}
