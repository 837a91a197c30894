import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { assertValid } from './schema-check.ts';

const COMPONENTS = new URL('../../k8s/components/', import.meta.url);

/** Components' files that are only parts of cluster objects. */
const PARTS = /kustomization\.yaml$|^(?:pods|kafka-|database-)|^gateway\/(?:no-ingress|network-policy)/;

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const objects = readdirSync(COMPONENTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml') && !PARTS.test(file))
  .flatMap((file) => parseAllDocuments(readFileSync(new URL(file, COMPONENTS), 'utf8')))
  .map((document) => document.toJS() as Named)
  .map((object) => [`${object.kind} ${object.metadata.name}`, object] as const);

/** The path of each object inside, its own first. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]));
  return Array.isArray(value) ? inner : [path, ...inner];
}

function withMisspeltField(object: object, path: readonly string[]): object {
  const copy = structuredClone(object);
  const place = path.reduce<object>((at, key) => Reflect.get(at, key) as object, copy);
  Object.assign(place, { misspelt: {} });
  return copy;
}

describe('the schemas of what the components add', () => {
  it('know every kind', () => {
    const kinds = ['CronJob', 'Gateway', 'HTTPRoute', 'Ingress', 'NetworkPolicy', 'PersistentVolumeClaim'];
    expect([...new Set(objects.map(([, { kind }]) => kind))].sort()).toEqual(
      [...kinds, 'PodMonitor', 'PrometheusRule'].sort(),
    );
  });

  it.each(objects)('take %s as it is, and no misspelt field at any depth of it', (_name, object) => {
    expect(() => assertValid(object)).not.toThrow();
    const unnoticed = pathsIn(object).filter((path) => {
      try {
        assertValid(withMisspeltField(object, path));
        return true;
      } catch {
        return false;
      }
    });
    expect(unnoticed).toEqual([]);
  });
});
