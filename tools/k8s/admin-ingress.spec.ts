import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import { ADMIN_ROWS, PUBLIC_ROWS } from './rules/ingress-rules.ts';

const COMPONENTS = new URL('../../k8s/components/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, COMPONENTS), 'utf8');
const read = <T>(file: string): T => parse(textOf(file)) as T;

interface Ingress {
  readonly spec: {
    readonly rules: readonly {
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly pathType: string;
          readonly backend: { readonly service: { readonly name: string } };
        }[];
      };
    }[];
  };
}

interface NetworkPolicy {
  readonly spec: {
    readonly podSelector: {
      readonly matchExpressions: readonly { readonly key: string; readonly values: readonly string[] }[];
    };
  };
}

interface HttpRoute {
  readonly spec: {
    readonly rules: readonly {
      readonly matches?: readonly { readonly path: { readonly value: string } }[];
      readonly backendRefs?: readonly { readonly name: string }[];
    }[];
  };
}

const services = [...new Set(ADMIN_ROWS.map(({ service }) => service))].sort();

describe('the way of operators, as its files have it', () => {
  it('has every row of the routing table below /admin, each to its service, and where a token is had', () => {
    const { spec } = read<Ingress>('admin-ingress/ingress.yaml');
    const rows = spec.rules.flatMap(({ http }) =>
      http.paths.map(({ path, pathType, backend }) => `${pathType} ${path} → ${backend.service.name}`),
    );
    expect(rows.sort()).toEqual(ADMIN_ROWS.map(({ path, service }) => `Prefix ${path} → ${service}`).sort());
  });

  it('lets its controller reach every service that it leads to, and no other', () => {
    const { spec } = read<NetworkPolicy>('admin-ingress/network-policy.yaml');
    const named = spec.podSelector.matchExpressions.find(({ key }) => key === 'app.kubernetes.io/name');
    expect([...(named?.values ?? [])].sort()).toEqual(services);
  });

  it('names every service that is reached without it by a port-forward', () => {
    const text = textOf('admin-ingress/kustomization.yaml');
    expect(services.filter((service) => !text.includes(`service/${service}`))).toEqual([]);
  });

  it('is not that of the public Gateway, which has all other rows (ADMIN-12)', () => {
    const documents = parseAllDocuments(textOf('gateway/route.yaml')).map((one) => one.toJS() as HttpRoute);
    const rows = documents.flatMap(({ spec }) =>
      spec.rules.flatMap(({ matches = [], backendRefs = [] }) =>
        matches.map(({ path }) => `${path.value} → ${backendRefs.map(({ name }) => name).join()}`),
      ),
    );
    expect(rows.sort()).toEqual(PUBLIC_ROWS.map(({ path, service }) => `${path} → ${service}`).sort());
  });
});
