import { PORTS, secretsOfProvider, storedNameOf, TOPOLOGY, type ServiceName } from '@fundrail/contracts';
import { GENERATED } from './blocks.ts';

export function databaseVariableOf(name: ServiceName): string {
  return `${name.toUpperCase()}_DATABASE_URL`;
}

/** The keys of the Secret of a service, in the order of its pod. */
export function secretsOf(name: ServiceName): readonly string[] {
  const { secrets = [], providers } = TOPOLOGY[name];
  const ofProviders = providers.flatMap((provider) => Object.keys(secretsOfProvider(provider)));
  return [databaseVariableOf(name), 'DATA_ENCRYPTION_KEY', ...secrets, ...ofProviders];
}

function labels(name: string, component: string): string {
  return `{ app.kubernetes.io/name: ${name}, app.kubernetes.io/component: ${component} }`;
}

function fromSecret(name: ServiceName, key: string): string {
  return `            - name: ${key}
              valueFrom: { secretKeyRef: { name: ${name}, key: ${key} } }
`;
}

const ADDRESSES = `            # The edge, on a network of pods; the network policies admit no other client.
            - name: TRUSTED_PROXIES
              valueFrom: { configMapKeyRef: { name: environment, key: TRUSTED_PROXIES } }
`;

/** The names by which it is reached: a renamed one by its former name too, for one release, by replicas of the release before. */
export function hostNamesOf(name: ServiceName): readonly string[] {
  return [...new Set([name, storedNameOf(name)])];
}

function serviceFile(host: string, selector: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${host}
spec:
  selector: ${selector}
  ports:
    - { name: http, port: ${PORTS.http}, targetPort: http }
---
`;
}

/** The manifests of one service: its account, its address, its pods and the Job of its migrations. `components/pods` adds the rest. */
export function podsFile(name: ServiceName): string {
  const [service, migration] = [labels(name, 'service'), labels(name, 'migration')];
  const database = fromSecret(name, databaseVariableOf(name));
  const secrets = secretsOf(name).map((key) => fromSecret(name, key));
  return `${GENERATED}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
automountServiceAccountToken: false
---
${hostNamesOf(name)
  .map((host) => serviceFile(host, service))
  .join('')}apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: ${service}
spec:
  selector:
    matchLabels: ${service}
  template:
    metadata:
      labels: ${service}
    spec:
      serviceAccountName: ${name}
      initContainers:
        - name: schema
          image: fundrail/${name}:unreleased
          env:
${database}      containers:
        - name: service
          image: fundrail/${name}:unreleased
          env:
${TOPOLOGY[name].readsAddresses ? ADDRESSES : ''}${secrets.join('')}---
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}-migrate-unreleased
  labels: ${migration}
spec:
  template:
    metadata:
      labels: ${migration}
    spec:
      serviceAccountName: ${name}
      containers:
        - name: migrate
          image: fundrail/${name}:unreleased
          env:
${database}`;
}

/** Replicas by load, and how many of them a drain may take away at once. */
export function scalingFile(names: readonly ServiceName[]): string {
  const all = [...names.map((name) => [name, 'service'] as const), ['edge', 'edge'] as const];
  const of = ([name, component]: readonly [string, string]) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${name}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }
  minReplicas: 2
  maxReplicas: 6
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: 70 } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  maxUnavailable: 1
  # A broken pod does not block a drain.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: ${labels(name, component)}
`;
  return `${GENERATED}
# Two replicas at least, more under load; and never more than one of them away for a drain.
${all.map(of).join('---\n')}`;
}
