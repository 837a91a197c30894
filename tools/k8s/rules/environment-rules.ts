import { checkEnvironment } from '@fundrail/service-kit';
import { definitions } from '../../../apps/standalone/src/services.ts';
import { nameOf } from '../manifests.ts';
import type { Container } from '../objects.ts';
import type { Rule, Site } from './rule.ts';

/** The variables of a container as the kubelet would set them. */
function environmentOf(site: Site, { env = [], envFrom = [] }: Container): Record<string, string> {
  const whole = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef
      ? valuesOf(site, 'ConfigMap', configMapRef.name)
      : valuesOf(site, 'Secret', secretRef?.name ?? ''),
  );
  const single = env.map(({ name, value = '', valueFrom: { secretKeyRef, configMapKeyRef } = {} }) => {
    if (secretKeyRef) return { [name]: valuesOf(site, 'Secret', secretKeyRef.name)[secretKeyRef.key] ?? '' };
    if (!configMapKeyRef) return { [name]: value };
    return { [name]: valuesOf(site, 'ConfigMap', configMapKeyRef.name)[configMapKeyRef.key] ?? '' };
  });
  return Object.assign({}, ...whole, ...single) as Record<string, string>;
}

function valuesOf({ overlay, documented }: Site, kind: 'ConfigMap' | 'Secret', name: string) {
  const object = overlay.named(kind, name) ?? documented.named(kind, name);
  if (object?.kind !== 'Secret') return object?.data ?? {};
  const decoded = Object.entries(object.data ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString(),
  ]);
  return { ...(Object.fromEntries(decoded) as Record<string, string>), ...object.stringData };
}

/** A service that would refuse to start; that reaches its neighbours by no Service; or that trusts the sandbox's secrets. */
export const ENVIRONMENT_RULES: readonly Rule[] = [
  {
    says: 'each service would start with the variables that it gets',
    breaches: (site) =>
      definitions(true).flatMap((definition) => {
        const deployment = site.overlay.named('Deployment', definition.name);
        const [container] = deployment?.spec.template.spec.containers ?? [];
        if (!deployment || !container) return [];
        try {
          checkEnvironment(definition, environmentOf(site, container));
          return [];
        } catch (error) {
          return [`${nameOf(deployment)}: ${error instanceof Error ? error.message : String(error)}`];
        }
      }),
  },
  {
    says: 'services take events from Kafka, and listen where the Services and probes look',
    breaches: (site) =>
      site.overlay.pods.flatMap(({ workload, spec: { containers } }) =>
        containers
          .filter(({ name }) => name === 'service')
          .flatMap((container) => {
            const env = environmentOf(site, container);
            const portOf = (wanted: string) =>
              container.ports?.find(({ name }) => name === wanted)?.containerPort;
            return [
              env['KAFKA_BROKERS'] ? '' : 'has no brokers',
              env['HOST'] === '0.0.0.0' ? '' : 'listens where no Service reaches it',
              Number(env['PORT']) === portOf('http') ? '' : 'has its http port elsewhere',
              Number(env['OPS_PORT']) === portOf('ops') ? '' : 'has its ops port elsewhere',
            ]
              .filter(Boolean)
              .map((what) => `${nameOf(workload)} ${what}`);
          }),
      ),
  },
  {
    says: 'neighbours are called by a Service and port that are there',
    breaches: (site) =>
      site.overlay.containers
        .filter(({ container }) => container.name === 'service')
        .flatMap(({ at, container }) =>
          Object.entries(environmentOf(site, container))
            .filter(
              ([name, value]) =>
                name.endsWith('_URL') && value.startsWith('http://') && !name.startsWith('PUBLIC'),
            )
            .filter(([, value]) => {
              const { hostname, port } = new URL(value);
              const service = site.overlay.named('Service', hostname);
              return !service?.spec.ports?.some((offered) => offered.port === Number(port));
            })
            .map(([name, value]) => `${at}: ${name} is ${value}`),
        ),
  },
];
