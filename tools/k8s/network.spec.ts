import { describeWithKubectl } from '@fundrail/testing';
import { COMPONENT_CONVERSATIONS, CONVERSATIONS } from './conversations.ts';
import type { Manifests } from './manifests.ts';
import { isAllowed, type Endpoint } from './network.ts';
import type { Labels } from './objects.ts';
import { findRenderer, OVERLAYS, renderOverlay, renderProduction, type Overlay } from './render.ts';
import { COMPONENT, NAME } from './rules/rule.ts';

const guest = (name: string, namespace: string, labels: Labels = {}): Endpoint => ({
  name,
  pod: { namespace, labels, ports: [{ name: 'http', containerPort: 8080 }] },
  address: null,
});
const address = (name: string, at: string): Endpoint => ({ name, pod: null, address: at });

/** The ends of connections beside the overlay's pods. */
const OTHERS: Readonly<Record<Overlay, readonly Endpoint[]>> = {
  local: [
    guest('stranger', 'fundrail'),
    guest('elsewhere', 'default'),
    guest('buyer', 'fundrail', { [COMPONENT]: 'buyer' }),
    address('outside', '93.184.216.34'),
    address('metadata', '169.254.169.254'),
  ],
  production: [
    guest('stranger', 'fundrail'),
    guest('elsewhere', 'default'),
    guest('ingress', 'ingress-nginx'),
    guest('monitoring', 'monitoring'),
    address('postgres', '10.0.16.4'),
    address('kafka', '10.0.32.4'),
    address('outside', '93.184.216.34'),
    address('metadata', '169.254.169.254'),
  ],
};

/** Further ends when production has a component. */
const OTHERS_WITH: Readonly<Record<string, readonly Endpoint[]>> = {
  backup: [guest('backup', 'fundrail', { [NAME]: 'backup', [COMPONENT]: 'backup' })],
  'admin-ingress': [guest('admin-ingress', 'ingress-internal')],
  gateway: [guest('gateway', 'envoy-gateway-system')],
};

const PORTS = [80, 443, 3000, 5432, 8080, 9000, 9092, 9093, 9096];

function endpointsOf(manifests: Manifests, overlay: Overlay): Endpoint[] {
  const pods = manifests.pods.map(({ labels, spec }) => ({
    name: labels[COMPONENT] === 'migration' ? 'migration' : (labels[NAME] ?? ''),
    pod: { namespace: 'fundrail', labels, ports: spec.containers.flatMap(({ ports = [] }) => ports) },
    address: null,
  }));
  return [...pods, ...OTHERS[overlay]];
}

/** `orders` → [`payments:3000`], for all that may happen between two different ends, one of them ours; `*`: every port. */
function allowedIn(
  manifests: Manifests,
  overlay: Overlay,
  others: readonly Endpoint[] = [],
): Record<string, string[]> {
  const ends = [...endpointsOf(manifests, overlay), ...others];
  const isOurs = ({ pod }: Endpoint) => pod?.namespace === 'fundrail';
  const found = ends
    .filter(({ pod }) => pod)
    .map((from) => {
      const targets = ends.filter((to) => to.name !== from.name && [from, to].some(isOurs));
      const open = new Set(targets.flatMap((to) => openPorts(manifests, from, to)));
      return [from.name, [...open]] as [string, string[]];
    });
  return Object.fromEntries(found);
}

function openPorts(manifests: Manifests, from: Endpoint, to: Endpoint): string[] {
  const open = PORTS.filter((port) => isAllowed(manifests, from, to, port));
  return open.length === PORTS.length ? [`${to.name}:*`] : open.map((port) => `${to.name}:${port}`);
}

function sorted(table: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(table).map(([from, to]) => [from, to.toSorted()]));
}

describeWithKubectl(findRenderer() !== null, 'the network policies', () => {
  it.each(OVERLAYS)('allow in %s exactly the table of conversations', (overlay) => {
    expect(sorted(allowedIn(renderOverlay(overlay), overlay))).toEqual(sorted(CONVERSATIONS[overlay]));
  });

  it.each(Object.entries(COMPONENT_CONVERSATIONS))(
    'allow with %s in production exactly its rows',
    (component, rows) => {
      const allowed = allowedIn(renderProduction([component]), 'production', OTHERS_WITH[component]);
      expect(sorted(allowed)).toEqual(sorted({ ...CONVERSATIONS.production, ...rows }));
    },
  );

  it('let webhooks reach only public addresses, in every notation', () => {
    const manifests = renderOverlay('production');
    const [webhooks] = endpointsOf(manifests, 'production').filter(({ name }) => name === 'webhooks');
    const inside = ['10.9.9.9', '127.0.0.1', '169.254.169.254', '100.64.0.1', '192.168.1.1', '172.31.0.1'];
    const insideV6 = ['::1', 'fd00::1', 'fe80::1', '::ffff:10.1.2.3', '64:ff9b::a01:203', '2002:a01:203::1'];
    const reached = [...inside, ...insideV6].filter((to) =>
      isAllowed(manifests, webhooks!, address('inside', to), 443),
    );
    expect(reached).toEqual([]);
    expect(isAllowed(manifests, webhooks!, address('outside', '2606:4700::1111'), 443)).toBe(true);
  });
});
