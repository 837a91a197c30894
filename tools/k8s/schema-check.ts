import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import type { KubernetesObject } from './objects.ts';
import type { KubernetesSchemas } from './published-schemas.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`schemas/${name}`, import.meta.url), 'utf8')) as KubernetesSchemas;
const official = read('kubernetes.json');
// No cluster of ours has the custom resources: their schemas hold the fields that k8s/ uses, and are written by hand.
const custom = read('custom-resources.json');
const published = {
  kinds: { ...official.kinds, ...custom.kinds },
  schemas: { ...official.schemas, ...custom.schemas },
};

const ajv = formats.default(new Ajv({ strict: false, formats: { 'int-or-string': true } }));
ajv.addSchema({ $id: 'kubernetes', components: { schemas: strictly(published.schemas) } });

const validators = new Map<string, ValidateFunction>();

/** Throws, with the path of each, what Kubernetes' schemas find wrong; a field that they do not know is wrong too. */
export function assertValid(object: unknown): asserts object is KubernetesObject {
  const { apiVersion, kind, metadata } = object as Partial<KubernetesObject>;
  const schema = published.kinds[`${apiVersion ?? ''} ${kind ?? ''}`];
  if (!schema)
    throw new Error(
      `no schema of ${apiVersion ?? ''} ${kind ?? ''}: see tools/k8s/fetch-schemas.ts, or write schemas/custom-resources.json`,
    );
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

/** The API server drops unknown fields, or refuses them on request: a misspelt probe has no effect. */
function strictly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strictly(value)]));
  const isClosed = 'properties' in inner && inner['type'] === 'object' && !('additionalProperties' in inner);
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}
