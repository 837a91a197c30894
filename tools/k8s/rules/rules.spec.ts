import { describeWithKubectl } from '@fundrail/testing';
import { readFileSync } from 'node:fs';
import { Manifests } from '../manifests.ts';
import { findRenderer, renderOverlay } from '../render.ts';
import { RULES } from './index.ts';
import type { Site } from './rule.ts';

// A mutation edits what a typed object does not let it.
type Loose = { [field: string]: Loose } & { [index: number]: Loose } & { push(value: unknown): void };
type Find = (kind: string, name: string) => Loose;
type Breach = readonly [says: string, what: string, break_: (find: Find) => void];

const podOf = (object: Loose) => object['spec']!['template']!['spec']!;
const containerOf = (object: Loose) => podOf(object)['containers']![0]!;
const set = (object: Loose, values: object) => void Object.assign(object, values);
const drop = (object: Loose, field: string) => void Reflect.deleteProperty(object, field);

/** One fault in otherwise correct manifests of production, and the rule that must report it. */
const BREACHES: readonly Breach[] = [
  ['pods are confined', 'root', (find) => drop(podOf(find('Deployment', 'orders')), 'securityContext')],
  [
    'pods are confined',
    'an API token',
    (find) => drop(podOf(find('Deployment', 'orders')), 'automountServiceAccountToken'),
  ],
  [
    'pods are confined',
    'service links',
    (find) => drop(podOf(find('Job', 'orders-migrate-0.1.0')), 'enableServiceLinks'),
  ],
  [
    'the files of a volume',
    'a change at each mount',
    (find) => set(podOf(find('Deployment', 'orders'))['securityContext']!, { fsGroup: 1000 }),
  ],
  [
    'containers are confined',
    'no context',
    (find) => drop(containerOf(find('Deployment', 'edge')), 'securityContext'),
  ],
  [
    'containers are confined',
    'a capability',
    (find) =>
      set(containerOf(find('Deployment', 'edge'))['securityContext']!['capabilities']!, {
        add: ['NET_BIND_SERVICE'],
      }),
  ],
  [
    'what serves has',
    'no startup probe',
    (find) => drop(containerOf(find('Deployment', 'edge')), 'startupProbe'),
  ],
  [
    'services are asked',
    'the public port',
    (find) => set(containerOf(find('Deployment', 'orders'))['livenessProbe']!['httpGet']!, { port: 'http' }),
  ],
  [
    'containers ask for cpu',
    'no limit',
    (find) => drop(containerOf(find('Deployment', 'orders'))['resources']!, 'limits'),
  ],
  ['a pod that goes', 'no preStop', (find) => drop(containerOf(find('Deployment', 'edge')), 'lifecycle')],
  [
    'a pod that goes',
    'too little time',
    (find) => set(podOf(find('Deployment', 'orders')), { terminationGracePeriodSeconds: 10 }),
  ],
  [
    'an update takes no replica',
    'one away',
    (find) =>
      set(find('Deployment', 'orders')['spec']!['strategy']!['rollingUpdate']!, { maxUnavailable: 1 }),
  ],
  [
    'the tag of the release',
    'an underscore',
    (find) => set(find('ConfigMap', 'release')['data']!, { tag: '1_0' }),
  ],
  [
    'every image has a tag',
    'latest',
    (find) => set(containerOf(find('Deployment', 'edge')), { image: 'nginx:latest' }),
  ],
  [
    'every image has a tag',
    'none',
    (find) => set(containerOf(find('Deployment', 'edge')), { image: 'a:5000/nginx' }),
  ],
  [
    'every image has a tag',
    'another',
    (find) => set(containerOf(find('Deployment', 'edge')), { image: 'fundrail/edge:0.0.9' }),
  ],
  [
    'each service has a migration Job',
    'of an old image',
    (find) => set(containerOf(find('Job', 'orders-migrate-0.1.0')), { image: 'fundrail/orders:0.0.9' }),
  ],
  [
    'there is no Job but these',
    'a left-over',
    (find) => set(find('Job', 'orders-migrate-0.1.0')['metadata']!, { name: 'orders-migrate' }),
  ],
  ['each service waits', 'no wait', (find) => drop(podOf(find('Deployment', 'orders')), 'initContainers')],
  [
    'every key of a ConfigMap',
    'a key that is not there',
    (find) =>
      set(containerOf(find('Deployment', 'orders'))['env']![0]!, {
        valueFrom: { secretKeyRef: { name: 'orders', key: 'PASSWORD' } },
      }),
  ],
  [
    'every documented Secret',
    'nothing uses',
    (find) => set(find('Secret', 'orders')['stringData']!, { OLD: 'x' }),
  ],
  [
    'the certificate of the Ingress',
    'another',
    (find) => set(find('Ingress', 'fundrail')['spec']!['tls']![0]!, { secretName: 'x' }),
  ],
  ['a Service selects', 'none', (find) => set(find('Service', 'orders')['spec']!['selector']!, { x: 'y' })],
  [
    'a Service selects',
    'a port',
    (find) => set(find('Service', 'orders')['spec']!['ports']![0]!, { targetPort: 'web' }),
  ],
  [
    'a workload selects its own',
    'its Job too',
    (find) =>
      drop(find('Deployment', 'orders')['spec']!['selector']!['matchLabels']!, 'app.kubernetes.io/component'),
  ],
  [
    'the selectors of NetworkPolicies',
    'nothing',
    (find) => set(find('NetworkPolicy', 'orders')['spec']!, { podSelector: { matchLabels: { x: 'y' } } }),
  ],
  [
    'services and edge have',
    'a fixed number',
    (find) => set(find('Deployment', 'orders')['spec']!, { replicas: 2 }),
  ],
  [
    'services and edge have',
    'one replica',
    (find) => set(find('HorizontalPodAutoscaler', 'edge')['spec']!, { minReplicas: 1 }),
  ],
  [
    'services and edge have',
    'no budget',
    (find) => set(find('PodDisruptionBudget', 'edge')['spec']!, { maxUnavailable: 2 }),
  ],
  [
    'autoscalers and budgets',
    'no target',
    (find) => set(find('HorizontalPodAutoscaler', 'edge')['spec']!['scaleTargetRef']!, { name: 'x' }),
  ],
  ['every object of ours', 'outside', (find) => drop(find('Service', 'orders')['metadata']!, 'namespace')],
  ['every object of ours', 'baseline', (find) => drop(find('Namespace', 'fundrail')['metadata']!, 'labels')],
  [
    'every pod has a name',
    'no component',
    (find) =>
      drop(
        find('Deployment', 'orders')['spec']!['template']!['metadata']!['labels']!,
        'app.kubernetes.io/component',
      ),
  ],
  [
    'each service would start',
    'a secret too short',
    (find) => set(find('Secret', 'service-tokens')['stringData']!, { SERVICE_TOKEN_SECRET: 'short' }),
  ],
  [
    'services take events',
    'no brokers',
    (find) => drop(find('ConfigMap', 'kafka')['data']!, 'KAFKA_BROKERS'),
  ],
  [
    'services take events',
    'another port',
    (find) => set(containerOf(find('Deployment', 'orders'))['ports']![1]!, { containerPort: 9001 }),
  ],
  [
    'neighbours are called',
    'no Service',
    (find) => set(find('Service', 'payments')['metadata']!, { name: 'pay' }),
  ],
  [
    'an Ingress has the rows',
    'a row too few',
    (find) =>
      set(find('Ingress', 'fundrail')['spec']!['rules']![0]!['http']!['paths']![3]!, { path: '/v2/x' }),
  ],
  [
    'every routed path',
    'no port',
    (find) => set(find('Service', 'orders')['spec']!['ports']![0]!, { name: 'web' }),
  ],
  [
    'each service of the routing table',
    'port 80',
    (find) => set(find('Service', 'orders')['spec']!['ports']![0]!, { port: 80 }),
  ],
  [
    'links to us',
    'another host',
    (find) => set(find('Ingress', 'fundrail')['spec']!['rules']![0]!, { host: 'x.example' }),
  ],
];

describeWithKubectl(findRenderer() !== null, 'the rules of the Kubernetes manifests', () => {
  let rendered: Manifests;
  let documented: Manifests;
  beforeAll(() => {
    rendered = renderOverlay('production');
    const example = (name: string) =>
      readFileSync(
        new URL(`../../../k8s/overlays/production/examples/${name}.yaml`, import.meta.url),
        'utf8',
      );
    documented = Manifests.parse(`${example('secrets')}\n---\n${example('kafka')}`);
  });

  function broken(break_: Breach[2]): Site {
    const site = {
      overlay: new Manifests(structuredClone(rendered.objects)),
      documented: new Manifests(structuredClone(documented.objects)),
      guests: new Manifests([]),
    };
    const all = [...site.overlay.objects, ...site.documented.objects];
    break_((kind, name) => {
      const found: unknown = all.find((object) => object.kind === kind && object.metadata.name === name);
      if (!found) throw new Error(`there is no ${kind} ${name}`);
      return found as Loose;
    });
    return site;
  }

  it.each(BREACHES)('see: %s: %s', (says, _what, break_) => {
    const rule = RULES.find((known) => known.says.startsWith(says));
    expect(rule?.breaches(broken(break_))).not.toEqual([]);
  });

  it('are each proved by a breach', () => {
    const unproved = RULES.filter((rule) => !BREACHES.some(([says]) => rule.says.startsWith(says)));
    expect(unproved.map(({ says }) => says)).toEqual([]);
  });
});

describe('the official schemas', () => {
  const namespace = (more: string) => `{apiVersion: v1, kind: Namespace, metadata: {name: x}${more}}`;

  it.each([
    ['a field that they do not know', ', metdata: {}', /additional properties.*metdata/],
    ['a wrong type', ', spec: 1', /spec must be object/],
  ])('refuse %s', (_what, more, message) => {
    expect(() => Manifests.parse(namespace(''))).not.toThrow();
    expect(() => Manifests.parse(namespace(more))).toThrow(message);
  });

  it('refuse a misspelt probe deep inside', () => {
    const pod = { containers: [{ name: 'x', image: 'y:1', readynessProbe: {} }] };
    const spec = { selector: {}, template: { metadata: {}, spec: pod } };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec };
    expect(() => Manifests.parse(JSON.stringify(deployment))).toThrow(/containers\/0.*readynessProbe/);
  });

  it('refuse an unknown kind', () => {
    expect(() => Manifests.parse('{apiVersion: apps/v1beta1, kind: Deployment}')).toThrow(/no schema/);
  });
});
