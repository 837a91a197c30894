/** A request that would be accepted: the path with its parameters filled in, and the body when the operation reads one. */
export interface ValidRequest {
  readonly path: string;
  readonly body?: object;
}

/** Requests by their operations, `METHOD /path`. */
export type Requests = Record<string, ValidRequest>;

/** The requests of these operations about the object `id`: that is the value of each parameter in a path. `bodies`: null without one. */
export function requestsOf(
  id: string | number | null,
  bodies: Readonly<Record<string, object | null>>,
): Requests {
  const requests = Object.entries(bodies).map(([operation, body]) => {
    const path = operation.slice(operation.indexOf(' ') + 1).replaceAll(/\{\w+\}/g, String(id));
    return [operation, { path, ...(body && { body }) }] as const;
  });
  return Object.fromEntries(requests);
}
