import { PORTS, PRODUCT_SERVICES, SERVICES, storedNameOf, TOPOLOGY } from '@fundrail/contracts';
import { callsTable } from '../docs/calls.ts';
import { compatibilityTable } from '../docs/compatibility.ts';
import { providersTable } from '../docs/providers.ts';
import { withBlocks } from './blocks.ts';
import {
  anyOf,
  BEHIND_ADMIN,
  servicePolicies,
  simulatorPolicies,
  TO_THE_OUTSIDE,
} from './network-policies.ts';
import { architecturePicture } from './picture.ts';
import { podsFile, scalingFile } from './pods.ts';
import {
  addresses,
  composeAddresses,
  composeServices,
  composeWaits,
  databasePasswords,
  exampleSecrets,
  registryImages,
  sandboxSecrets,
  simulatedAddresses,
} from './sites.ts';
import { adminCommands, adminPaths, gatewayRules, ingressPaths, portForwards } from './ways-in.ts';

const PODS = SERVICES.map((name): [string, () => string] => [
  TOPOLOGY[name].sandboxOnly ? `k8s/${name}/${name}.yaml` : `k8s/base/${name}.yaml`,
  () => podsFile(name),
]);

/** What is written by hand but for its blocks: the names of the blocks, and what they are filled with. */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docker/compose.yaml': {
    addresses: composeAddresses,
    services: composeServices,
    'healthy services': composeWaits,
  },
  'docker/Dockerfile': {
    'packages of the services': () => `${SERVICES.map((name) => `-w apps/${name}`).join(' ')} \\\n`,
  },
  'docker/observability/prometheus.yml': {
    targets: () =>
      `- names: [${SERVICES.join(', ')}]\n  type: A\n  port: ${PORTS.ops}\n  refresh_interval: 10s\n`,
  },
  'k8s/base/kustomization.yaml': {
    services: () => PRODUCT_SERVICES.map((name) => `- ${name}.yaml\n`).join(''),
  },
  'k8s/base/environment.env': { addresses: () => addresses(PRODUCT_SERVICES) },
  'k8s/base/network-policies.yaml': { 'policies of the services': servicePolicies },
  'k8s/components/admin-ingress/ingress.yaml': { paths: adminPaths },
  'k8s/components/admin-ingress/kustomization.yaml': { 'port forwards': portForwards },
  'k8s/components/admin-ingress/network-policy.yaml': { 'services behind admin': () => anyOf(BEHIND_ADMIN) },
  'k8s/components/backup/dump.yaml': {
    databases: () => `for name in ${PRODUCT_SERVICES.map(storedNameOf).join(' ')}; do`,
  },
  'k8s/components/database-passwords/kustomization.yaml': { passwords: databasePasswords },
  'k8s/components/gateway/route.yaml': { rules: gatewayRules },
  'k8s/overlays/local/environment.env': {
    'addresses of the sandbox': () =>
      addresses(SERVICES.filter((name) => TOPOLOGY[name].sandboxOnly)) + simulatedAddresses().join('\n'),
  },
  'k8s/overlays/local/kustomization.yaml': {
    secrets: sandboxSecrets,
    'every service': () => `- target: { kind: Deployment, name: ${SERVICES.join('|')} }\n`,
  },
  'k8s/overlays/production/examples/secrets.yaml': { secrets: exampleSecrets },
  'k8s/overlays/production/ingress.yaml': { paths: ingressPaths },
  'k8s/overlays/production/kustomization.yaml': { images: registryImages },
  'k8s/overlays/production/network-policies.yaml': {
    'services that reach the outside': () => anyOf(TO_THE_OUTSIDE),
  },
  'docs/architecture.md': { picture: architecturePicture },
  'docs/operations/kubernetes.md': { 'port forwards': adminCommands },
  'docs/specification/calls.md': { calls: callsTable },
  'docs/migrate.md': { 'names of the upstream': compatibilityTable },
  'docs/operations/providers.md': { providers: providersTable },
};

const filled = Object.entries(BLOCKS).map(([path, blocks]): [string, () => string] => [
  path,
  () => withBlocks(path, Object.fromEntries(Object.entries(blocks).map(([name, block]) => [name, block()]))),
]);

/** Every file that follows from the topology, with what writes it. */
export const TOPOLOGY_FILES: Readonly<Record<string, () => string>> = Object.fromEntries([
  ...PODS,
  ['k8s/base/scaling.yaml', () => scalingFile(PRODUCT_SERVICES)],
  ['k8s/simulator/network-policies.yaml', simulatorPolicies],
  ...filled,
]);
