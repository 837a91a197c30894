import { z } from 'zod';

/** The kinds that k8s/ uses, by the API group that publishes their schemas. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'api/v1': ['ConfigMap', 'Namespace', 'PersistentVolumeClaim', 'Pod', 'Secret', 'Service', 'ServiceAccount'],
  'apis/apps/v1': ['Deployment', 'StatefulSet'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/batch/v1': ['CronJob', 'Job'],
  'apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'apis/policy/v1': ['PodDisruptionBudget'],
};

/** The official schemas of one version of Kubernetes, as far as we use them. */
export interface KubernetesSchemas {
  /** Of Kubernetes: `v1.34.4`. */
  readonly version: string;
  /** `apps/v1 Deployment` → the name of its schema. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, object>>;
}

const published = z.object({ components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }) });
const version = z.object({ gitVersion: z.string() });
const groupVersionKinds = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));

/** Collects the schemas from what the API server publishes. `get` returns the body of one of its paths. */
export function publishedSchemas(get: (path: string) => string): KubernetesSchemas {
  const kinds: Record<string, string> = {};
  const schemas: Record<string, object> = {};
  for (const [group, wanted] of Object.entries(KINDS)) {
    const all = published.parse(JSON.parse(get(`/openapi/v3/${group}`))).components.schemas;
    for (const [name, schema] of Object.entries(all)) {
      const { data = [] } = groupVersionKinds.safeParse(schema['x-kubernetes-group-version-kind']);
      const [own] = data;
      // Those of several groups are about all kinds, like DeleteOptions.
      if (!own || data.length > 1 || !wanted.includes(own.kind)) continue;
      kinds[`${own.group ? `${own.group}/` : ''}${own.version} ${own.kind}`] = name;
      collect(name, all, schemas);
    }
  }
  return { version: version.parse(JSON.parse(get('/version'))).gitVersion, kinds, schemas };
}

/** A schema and all that it refers to. */
function collect(name: string, from: Readonly<Record<string, object>>, into: Record<string, object>): void {
  const schema = from[name];
  if (!schema || name in into) return;
  into[name] = bare(schema) as object;
  for (const [, other = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    collect(other, from, into);
}

/** Without descriptions, extensions and defaults: what no validator reads. A property may have such a name, so values decide. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      !key.startsWith('x-kubernetes-') &&
      !(key === 'description' && typeof inner === 'string') &&
      !(key === 'default' && ('type' in value || 'allOf' in value)),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, bare(inner)]));
}
