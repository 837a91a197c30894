import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from './objects.ts';
import type { KubernetesSchemas } from './published-schemas.ts';

const published = JSON.parse(
  readFileSync(new URL('schemas/kubernetes.json', import.meta.url), 'utf8'),
) as KubernetesSchemas;

const ajv = formats.default(new Ajv({ strict: false, formats: { 'int-or-string': true } }));
ajv.addSchema({ $id: 'kubernetes', components: { schemas: strictly(published.schemas) } });

const validators = new Map<string, ValidateFunction>();

/** Throws, with the path of each, what Kubernetes' official schemas find wrong; a field that they do not know is wrong too. */
export function assertValid(object: unknown): asserts object is KubernetesObject {
  const { apiVersion, kind, metadata } = object as Partial<KubernetesObject>;
  const schema = published.kinds[`${apiVersion ?? ''} ${kind ?? ''}`];
  if (!schema)
    throw new Error(`no schema of ${apiVersion ?? ''} ${kind ?? ''}: see tools/k8s/fetch-schemas.ts`);
  const validate =
    validators.get(schema) ?? ajv.compile({ $ref: `kubernetes#/components/schemas/${schema}` });
  validators.set(schema, validate);
  if (validate(object)) return;
  const name = `${kind ?? ''} ${metadata?.name ?? ''}`;
  throw new Error(
    validate.errors
      ?.map(
        ({ instancePath, message, params }) =>
          `${name} ${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
      )
      .join('\n'),
  );
}

/** The API server drops unknown fields, or refuses them when it is asked to: a misspelt probe is no probe. */
function strictly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strictly(value)]));
  const isClosed = 'properties' in inner && inner['type'] === 'object' && !('additionalProperties' in inner);
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}
