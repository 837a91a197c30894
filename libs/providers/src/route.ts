/** Where a call goes. */
export interface Route {
  /** With the values, each encoded: `/orders/mfp_019%2F3`. */
  readonly path: string;
  /** With `{id}` in the place of each value, so the same for all calls of a kind: `/orders/{id}`. Metrics and traces name calls by it. */
  readonly template: string;
}

/** A path, written as a template: route`/orders/${reference}`. A value is one segment, whatever is in it. */
export function route(texts: TemplateStringsArray, ...values: readonly string[]): Route {
  return {
    path: String.raw({ raw: texts }, ...values.map(encodeURIComponent)),
    template: texts.join('{id}'),
  };
}

/** The same route below a prefix, which has no values in it. */
export function below(prefix: string, { path, template }: Route): Route {
  return { path: prefix + path, template: prefix + template };
}
