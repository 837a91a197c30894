import type { StandardSchemaV1 } from '@standard-schema/spec';
import { AsyncLocalStorage } from 'node:async_hooks';

const WIDER = new WeakMap<StandardSchemaV1, StandardSchemaV1>();
const ofUpstream = new AsyncLocalStorage<true>();

/** Returns `schema`. Where a client of the upstream sends the value, `wider` checks it instead (COMP-8); documents have `schema`. */
export function widerForUpstream<S extends StandardSchemaV1>(schema: S, wider: StandardSchemaV1): S {
  WIDER.set(schema, wider);
  return schema;
}

/** The schema for the request that is answered now. */
export function schemaForCaller(schema: StandardSchemaV1): StandardSchemaV1 {
  return ofUpstream.getStore() === true ? (WIDER.get(schema) ?? schema) : schema;
}

/** Answers a request of a client of the upstream, whose values are checked by the wider schemas. */
export function withWiderSchemas(answer: () => void): void {
  ofUpstream.run(true, answer);
}
