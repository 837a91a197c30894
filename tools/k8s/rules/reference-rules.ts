import { nameOf } from '../manifests.ts';
import type { Container, Labels, LabelSelector, NetworkPolicy } from '../objects.ts';
import { COMPONENT, matches, NAME, type Rule, type Site } from './rule.ts';

/** What a container names of ConfigMaps and Secrets; without a key, all of them. */
function referencesOf({ env = [], envFrom = [] }: Container) {
  return [
    ...env.flatMap(({ valueFrom: { secretKeyRef, configMapKeyRef } = {} }) => [
      ...(secretKeyRef ? [{ kind: 'Secret' as const, ...secretKeyRef }] : []),
      ...(configMapKeyRef ? [{ kind: 'ConfigMap' as const, ...configMapKeyRef }] : []),
    ]),
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [
      ...(secretRef ? [{ kind: 'Secret' as const, name: secretRef.name, key: null }] : []),
      ...(configMapRef ? [{ kind: 'ConfigMap' as const, name: configMapRef.name, key: null }] : []),
    ]),
  ];
}

/** The keys of a ConfigMap or Secret that is in the overlay or documented; null when it is in neither. */
function keysOf({ overlay, documented }: Site, kind: 'ConfigMap' | 'Secret', name: string): string[] | null {
  const found = overlay.named(kind, name) ?? documented.named(kind, name);
  if (!found) return null;
  return Object.keys({ ...found.data, ...(found.kind === 'Secret' ? found.stringData : {}) });
}

const podLabelsOf = ({ overlay, guests }: Site): Labels[] =>
  [...overlay.pods, ...guests.pods].map(({ labels }) => labels);

/** The selectors of a policy that are about pods of our own namespace. */
function ownSelectorsOf({ spec }: NetworkPolicy): LabelSelector[] {
  const peers = [
    ...(spec.ingress ?? []).flatMap(({ from = [] }) => from),
    ...(spec.egress ?? []).flatMap(({ to = [] }) => to),
  ];
  return [
    spec.podSelector,
    ...peers.flatMap(({ podSelector, namespaceSelector }) =>
      podSelector && !namespaceSelector ? [podSelector] : [],
    ),
  ];
}

/** A name in an `In` that no pod has is a misspelt one, though others of it match. */
function namesWithoutPods(selector: LabelSelector, pods: readonly Labels[]): string[] {
  const named =
    selector.matchExpressions?.flatMap(({ key, values = [] }) => (key === NAME ? values : [])) ?? [];
  return named.filter((name) => !pods.some((labels) => labels[NAME] === name));
}

/** What is named is there. */
export const REFERENCE_RULES: readonly Rule[] = [
  {
    says: 'every key of a ConfigMap or Secret that is asked for is there, or documented',
    breaches: (site) =>
      site.overlay.containers.flatMap(({ at, container }) =>
        referencesOf(container).flatMap(({ kind, name, key }) => {
          const keys = keysOf(site, kind, name);
          return keys && (key === null || keys.includes(key))
            ? []
            : [`${at} asks for ${kind} ${name} ${key ?? ''}`];
        }),
      ),
  },
  {
    says: 'every documented Secret and ConfigMap is asked for, key by key',
    breaches: (site) => {
      const asked = site.overlay.containers.flatMap(({ container }) => referencesOf(container));
      const certificates = site.overlay.ofKind('Ingress').flatMap(({ spec }) => spec.tls ?? []);
      return [...site.documented.ofKind('Secret'), ...site.documented.ofKind('ConfigMap')].flatMap(
        (object) => {
          const { name } = object.metadata;
          if (certificates.some(({ secretName }) => secretName === name)) return [];
          return (keysOf(site, object.kind, name) ?? [])
            .filter((key) => !asked.some((ref) => ref.name === name && (ref.key ?? key) === key))
            .map((key) => `nothing uses ${nameOf(object)} ${key}`);
        },
      );
    },
  },
  {
    says: 'the certificate of the Ingress is documented',
    breaches: (site) =>
      site.overlay
        .ofKind('Ingress')
        .flatMap(({ spec }) => spec.tls?.map(({ secretName }) => secretName) ?? ['(none)'])
        .filter((name) => !keysOf(site, 'Secret', name)?.includes('tls.key')),
  },
  {
    says: 'a Service selects pods of one workload, and a port that they have',
    breaches: ({ overlay, guests }) =>
      overlay.ofKind('Service').flatMap((service) => {
        const selected = [...overlay.pods, ...guests.pods].filter(({ labels }) =>
          matches({ matchLabels: service.spec.selector }, labels),
        );
        const ports = selected.flatMap(({ spec }) => spec.containers.flatMap(({ ports = [] }) => ports));
        const missing = (service.spec.ports ?? []).filter(
          ({ targetPort }) => !ports.some(({ name }) => name === targetPort),
        );
        if (selected.length !== 1) return [`${nameOf(service)} selects ${selected.length} workloads`];
        return missing.map(({ name }) => `${nameOf(service)} sends ${name} to a port that is not there`);
      }),
  },
  {
    says: 'a workload selects its own pods and no others',
    breaches: ({ overlay, guests }) =>
      [...overlay.ofKind('Deployment'), ...overlay.ofKind('StatefulSet')].flatMap((workload) => {
        const selected = [...overlay.pods, ...guests.pods]
          .filter(({ labels }) => matches(workload.spec.selector, labels))
          .map((pods) => pods.workload);
        return selected.length === 1 && selected[0] === workload ? [] : [nameOf(workload)];
      }),
  },
  {
    says: 'the selectors of NetworkPolicies match pods',
    breaches: (site) =>
      site.overlay.ofKind('NetworkPolicy').flatMap((policy) => {
        const pods = podLabelsOf(site);
        return ownSelectorsOf(policy).flatMap((selector) => [
          ...(pods.some((labels) => matches(selector, labels)) ? [] : [`${nameOf(policy)} matches no pod`]),
          ...namesWithoutPods(selector, pods).map((name) => `${nameOf(policy)} names ${name}`),
        ]);
      }),
  },
  {
    says: 'services and edge have two replicas or more, a HorizontalPodAutoscaler that alone decides, and a disruption budget',
    breaches: ({ overlay }) =>
      overlay
        .ofKind('Deployment')
        .filter(({ metadata }) => metadata.name !== 'simulator')
        .flatMap((deployment) => {
          const scaler = overlay
            .ofKind('HorizontalPodAutoscaler')
            .find(
              ({ spec: { scaleTargetRef: target } }) =>
                target.kind === 'Deployment' && target.name === deployment.metadata.name,
            );
          const budget = overlay
            .ofKind('PodDisruptionBudget')
            .find(({ spec }) => matches(spec.selector, deployment.spec.template.metadata.labels ?? {}));
          return [
            scaler && scaler.spec.minReplicas >= 2 ? '' : 'may be alone',
            scaler && scaler.spec.maxReplicas > scaler.spec.minReplicas ? '' : 'cannot grow',
            deployment.spec.replicas === undefined ? '' : 'is scaled back by every apply',
            budget?.spec.maxUnavailable === 1 ? '' : 'may all be evicted at once',
          ]
            .filter(Boolean)
            .map((what) => `${nameOf(deployment)} ${what}`);
        }),
  },
  {
    says: 'autoscalers and budgets are about something',
    breaches: ({ overlay }) => [
      ...overlay
        .ofKind('HorizontalPodAutoscaler')
        .filter(({ spec }) => !overlay.named('Deployment', spec.scaleTargetRef.name))
        .map(nameOf),
      ...overlay
        .ofKind('PodDisruptionBudget')
        .filter(
          ({ spec }) => overlay.pods.filter(({ labels }) => matches(spec.selector, labels)).length !== 1,
        )
        .map(nameOf),
    ],
  },
  {
    says: 'every object of ours is in the namespace, which enforces the restricted profile',
    breaches: ({ overlay }) => {
      const [namespace] = overlay.ofKind('Namespace');
      const enforced = namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce'];
      return [
        ...(enforced === 'restricted' ? [] : [`the namespace enforces ${enforced ?? 'nothing'}`]),
        ...overlay.objects
          .filter((object) => object !== namespace && object.metadata.namespace !== namespace?.metadata.name)
          .map(nameOf),
      ];
    },
  },
  {
    says: 'every pod has a name and a component',
    breaches: ({ overlay }) =>
      overlay.pods
        .filter(({ labels }) => !labels[NAME] || !labels[COMPONENT])
        .map(({ workload }) => nameOf(workload)),
  },
];
