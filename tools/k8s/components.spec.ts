import { PRODUCT_SERVICES, storedNameOf, type ServiceName } from '@fundrail/contracts';
import { describeWithKubectl } from '@fundrail/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Job } from './objects.ts';
import { findRenderer, renderProduction } from './render.ts';
import { PUBLIC_ROWS } from './rules/ingress-rules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

interface Route {
  readonly spec: {
    readonly rules: readonly {
      readonly matches: readonly { readonly path: { readonly type: string; readonly value: string } }[];
      readonly backendRefs: readonly { readonly name: string; readonly port: number }[];
    }[];
  };
}

/** Production with these components. Throws what the schemas find wrong; our own rules do not cover custom resources. */
function productionWith(...components: readonly string[]): readonly Rendered[] {
  const { objects }: { readonly objects: readonly unknown[] } = renderProduction(components);
  return objects as readonly Rendered[];
}

interface Mounting {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface MountingPod {
  readonly initContainers?: readonly Mounting[];
  readonly containers: readonly Mounting[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly secret?: object;
    readonly projected?: object;
  }[];
}

/** `orders schema` → the source of the volume in which the file of this variable is; for every container that opens a store. */
function sourcesOf(objects: readonly Rendered[], variable: string): Record<string, unknown> {
  const pods = [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Job')].map(
    ({ metadata, spec }) =>
      [metadata.name.split('-')[0], (spec as Job['spec']).template.spec as unknown as MountingPod] as const,
  );
  const sources = pods.flatMap(([name, { initContainers = [], containers, volumes = [] }]) =>
    [...initContainers, ...containers].map(({ name: container, env = [], volumeMounts = [] }) => {
      const path = env.find((one) => one.name === variable)?.value ?? '(no variable)';
      const mount = volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
      const volume = volumes.find((one) => one.name === mount?.name);
      return [`${name ?? ''} ${container}`, volume?.secret ?? volume?.projected] as const;
    }),
  );
  return Object.fromEntries(sources.filter(([at]) => !at.startsWith('edge ')));
}

const STORING = ['schema', 'service', 'migrate'];

const ofKind = (objects: readonly Rendered[], kind: string) =>
  objects.filter((object) => object.kind === kind);

describeWithKubectl(findRenderer() !== null, 'the components for production', () => {
  it('gateway: takes the place of the Ingress, with the same rows', () => {
    const objects = productionWith('gateway');
    expect(ofKind(objects, 'Ingress')).toEqual([]);
    expect(ofKind(objects, 'Gateway')).toHaveLength(1);
    const [route] = ofKind(objects, 'HTTPRoute') as unknown as readonly Route[];
    const rows = route?.spec.rules.flatMap(({ matches, backendRefs }) =>
      matches.map(({ path }) => `${path.type} ${path.value} → ${backendRefs.map(({ name }) => name).join()}`),
    );
    expect(rows?.sort()).toEqual(
      PUBLIC_ROWS.map(({ path, service }) => `PathPrefix ${path} → ${service}`).sort(),
    );
    const services = new Map(
      ofKind(objects, 'Service').map(({ metadata, spec }) => [
        metadata.name,
        spec['ports'] as { port: number }[],
      ]),
    );
    for (const { backendRefs } of route?.spec.rules ?? [])
      for (const { name, port } of backendRefs)
        expect([name, services.get(name)?.map((one) => one.port)]).toEqual([
          name,
          expect.arrayContaining([port]),
        ]);
    // What the API takes at most of one route.
    expect(route?.spec.rules.length).toBeLessThanOrEqual(16);
    const policy = objects.find(({ metadata }) => metadata.name === 'ingress-controller');
    expect(JSON.stringify(policy)).toContain('envoy-gateway-system');
    expect(JSON.stringify(policy)).not.toContain('ingress-nginx');
  });

  it('admin-ingress: is another Ingress, of another class and host', () => {
    const ingresses = ofKind(productionWith('admin-ingress'), 'Ingress');
    const classes = ingresses.map(({ metadata, spec }) => [metadata.name, spec['ingressClassName']]);
    expect(classes).toEqual([
      ['admin', 'internal'],
      ['fundrail', 'nginx'],
    ]);
  });

  it('monitoring: scrapes the ops port of each service and has the alerts of compose', () => {
    const objects = productionWith('monitoring');
    const [monitor] = ofKind(objects, 'PodMonitor');
    const [endpoint] = monitor?.spec['podMetricsEndpoints'] as readonly Record<string, unknown>[];
    expect([endpoint?.['port'], endpoint?.['path']]).toEqual(['ops', '/metrics']);
    const alerts = parse(readFileSync(join(ROOT, 'docker/observability/alerts.yml'), 'utf8')) as object;
    expect(ofKind(objects, 'PrometheusRule')[0]?.spec).toEqual(alerts);
  });

  it('backup: dumps the database of every service, each night', () => {
    const objects = productionWith('backup');
    const [job] = ofKind(objects, 'CronJob');
    expect(job?.spec).toMatchObject({ schedule: '30 1 * * *', concurrencyPolicy: 'Forbid' });
    const services = ofKind(objects, 'Deployment')
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== 'edge')
      .map((name) => storedNameOf(name as ServiceName));
    const [, dumped = ''] = /for name in ([a-z ]+); do/.exec(JSON.stringify(job)) ?? [];
    expect(dumped.split(' ').sort()).toEqual(services.sort());
  });

  it('backup: checks the certificate of the server, by an authority of its Secret', () => {
    const [job] = ofKind(productionWith('backup'), 'CronJob');
    const { spec } = job as unknown as { readonly spec: { readonly jobTemplate: Job } };
    const pod = spec.jobTemplate.spec.template.spec as unknown as MountingPod;
    const [{ env = [], volumeMounts = [] } = {}] = pod.containers;
    const valueOf = (variable: string) => env.find(({ name }) => name === variable)?.value;
    expect([valueOf('PGSSLMODE'), valueOf('PGSSLROOTCERT')]).toEqual([
      'verify-full',
      '/run/secrets/postgres/ca.crt',
    ]);
    const mount = volumeMounts.find(({ mountPath }) => mountPath === '/run/secrets/postgres');
    expect(pod.volumes?.find(({ name }) => name === mount?.name)?.secret).toEqual({
      secretName: 'backup',
      items: [{ key: 'ca.crt', path: 'ca.crt' }],
    });
  });

  const inEachContainer = (source: (service: string) => unknown) =>
    Object.fromEntries(
      PRODUCT_SERVICES.flatMap((service) => STORING.map((name) => [`${service} ${name}`, source(service)])),
    );

  it('database-passwords: has the file of each service in its pods, its init container and its Job', () => {
    const sources = sourcesOf(productionWith('database-passwords'), 'DATABASE_PASSWORD_FILE');
    expect(sources).toEqual(inEachContainer((service) => ({ secretName: `${service}-database` })));
  });

  it('kafka-token: has the token in pods, init containers and Jobs, and asks for no password', () => {
    const objects = productionWith('-kafka-sasl', 'kafka-token');
    const token = { audience: 'kafka', expirationSeconds: 3600, path: 'token' };
    expect(sourcesOf(objects, 'KAFKA_OAUTH_TOKEN_FILE')).toEqual(
      inEachContainer(() => ({ sources: [{ serviceAccountToken: token }] })),
    );
    expect(JSON.stringify(objects)).not.toContain('KAFKA_SASL_');
  });
});
