import { BlockList, isIPv6 } from 'node:net';
import type { Manifests } from './manifests.ts';
import type { Container, Labels, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from './objects.ts';
import { matches } from './rules/rule.ts';

/** One end of a conversation. */
export interface Endpoint {
  /** For people: `orders`. */
  readonly name: string;
  /** Null: no pod of this cluster. */
  readonly pod: {
    readonly namespace: string;
    readonly labels: Labels;
    readonly ports: Container['ports'];
  } | null;
  /** Null: a pod, whose address no policy of ours may know. */
  readonly address: string | null;
}

/** The namespace of our objects; policies of other namespaces are not checked. */
const NAMESPACE = 'fundrail';
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/**
 * Whether the NetworkPolicies let one end connect to a TCP port of the other, by Kubernetes' rules: an end without a policy
 * for that direction is open, a selected one needs a policy that allows it; both ends must allow it.
 */
export function isAllowed(manifests: Manifests, from: Endpoint, to: Endpoint, port: number): boolean {
  const policies = manifests.ofKind('NetworkPolicy');
  const out = selecting(policies, from, 'Egress').map(({ spec }) =>
    (spec.egress ?? []).some((rule) => names(rule.to, to) && opens(rule.ports, to, port)),
  );
  const into = selecting(policies, to, 'Ingress').map(({ spec }) =>
    (spec.ingress ?? []).some((rule) => names(rule.from, from) && opens(rule.ports, to, port)),
  );
  return [out, into].every((leaves) => leaves.length === 0 || leaves.includes(true));
}

function selecting(
  policies: readonly NetworkPolicy[],
  { pod }: Endpoint,
  direction: 'Ingress' | 'Egress',
): NetworkPolicy[] {
  if (pod?.namespace !== NAMESPACE) return [];
  return policies.filter(
    ({ spec }) => spec.policyTypes.includes(direction) && matches(spec.podSelector, pod.labels),
  );
}

function names(peers: readonly NetworkPolicyPeer[] | undefined, end: Endpoint): boolean {
  return peers === undefined || peers.some((peer) => isPeer(peer, end));
}

function isPeer({ ipBlock, podSelector, namespaceSelector }: NetworkPolicyPeer, end: Endpoint): boolean {
  if (ipBlock) return end.address !== null && isIn(ipBlock, end.address);
  if (!end.pod) return false;
  const { namespace, labels } = end.pod;
  const isThere = namespaceSelector
    ? matches(namespaceSelector, { [NAMESPACE_NAME]: namespace })
    : namespace === NAMESPACE;
  return isThere && matches(podSelector ?? {}, labels);
}

function isIn({ cidr, except = [] }: NonNullable<NetworkPolicyPeer['ipBlock']>, address: string): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const holds = (block: string) => {
    const [network = '', length] = block.split('/');
    if (isIPv6(network) !== isIPv6(address)) return false;
    const list = new BlockList();
    list.addSubnet(network, Number(length), family);
    return list.check(address, family);
  };
  return holds(cidr) && !except.some(holds);
}

function opens(ports: readonly NetworkPolicyPort[] | undefined, { pod }: Endpoint, port: number): boolean {
  if (ports === undefined) return true;
  return ports.some(({ protocol = 'TCP', port: wanted, endPort }) => {
    if (protocol !== 'TCP') return false;
    if (typeof wanted === 'string')
      return (
        pod?.ports?.some(({ name, containerPort }) => name === wanted && containerPort === port) ?? false
      );
    return wanted === undefined || (port >= wanted && port <= (endPort ?? wanted));
  });
}
