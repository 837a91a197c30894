import {
  PORTS,
  PRODUCT_SERVICES,
  PROVIDER_IDS,
  providerUrlVariable,
  secretsOfProvider,
  SERVICES,
  SIMULATED_PROVIDERS,
  storedNameOf,
  TOPOLOGY,
  urlVariableOf,
  type Provider,
  type ServiceName,
} from '@fundrail/contracts';
import { SANDBOX_SECRETS } from '../../libs/service-kit/src/config/sandbox-secrets.ts';
import { databaseVariableOf, hostNamesOf, secretsOf } from './pods.ts';

/** The addresses of the services, one variable each. */
export function addresses(names: readonly ServiceName[]): string {
  return names.map((name) => `${urlVariableOf(name)}=http://${name}:${PORTS.http}\n`).join('');
}

const SANDBOX: Readonly<Record<string, string>> = SANDBOX_SECRETS;
/** What stands for each Secret in an example of production's. */
const EXAMPLES: Readonly<Record<string, string>> = {
  DATA_ENCRYPTION_KEY: '00000000-at-least-32-characters-each-its-own',
  ADMIN_CLIENT_SECRET: '00000000-at-least-16',
  ...Object.fromEntries(PROVIDER_IDS.flatMap(exampleOf)),
};

function exampleOf(provider: Provider): [string, string][] {
  return Object.keys(secretsOfProvider(provider)).map((key) => [
    key,
    `00000000-${key.toLowerCase().replaceAll('_', '-')}-of-your-own`,
  ]);
}

/** Each Secret of the service with its value, in which `url` is that of its database. Throws for a Secret without a value. */
function entriesOf(name: ServiceName, values: Readonly<Record<string, string>>, url: string) {
  const all = { ...values, [databaseVariableOf(name)]: url };
  return secretsOf(name).map((key) => {
    const value = all[key];
    if (value === undefined) throw new Error(`the Secret ${key} of ${name} has no value to show`);
    return [key, value] as const;
  });
}

/** The Secrets of the local overlay, as entries of its generator. */
export function sandboxSecrets(): string {
  const of = (name: ServiceName) => {
    const url = `postgres://fundrail:fundrail@postgres:5432/fundrail_${storedNameOf(name)}`;
    const literals = entriesOf(name, SANDBOX, url).map(([key, value]) => `    - ${key}=${value}\n`);
    return `- name: ${name}\n  literals:\n${literals.join('')}`;
  };
  return SERVICES.map(of).join('');
}

/** The Secrets that production refers to, with values that are none. */
export function exampleSecrets(): string {
  const of = (name: ServiceName) => {
    const database = `fundrail_${storedNameOf(name)}`;
    const url = `postgres://${database}:00000000@postgres.example.internal:5432/${database}?sslmode=verify-full`;
    const data = entriesOf(name, EXAMPLES, url).map(([key, value]) => `  ${key}: ${value}\n`);
    return `apiVersion: v1
kind: Secret
metadata:
  name: ${name}
  namespace: fundrail
stringData:
${data.join('')}---
`;
  };
  return PRODUCT_SERVICES.map(of).join('');
}

/** Where production takes the images from. */
export function registryImages(): string {
  return [...PRODUCT_SERVICES, 'edge']
    .map((name) => `- { name: fundrail/${name}, newName: registry.example.com/fundrail/${name} }\n`)
    .join('');
}

/** For each service the Secret with the password of its database. */
export function databasePasswords(): string {
  const volume = (name: string) => `[{ name: database-password, secret: { secretName: ${name}-database } }]`;
  const of = (
    name: ServiceName,
  ) => `- target: { kind: Deployment|Job, labelSelector: app.kubernetes.io/name=${name} }
  patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: any }
    spec: { template: { spec: { volumes: ${volume(name)} } } }
`;
  return PRODUCT_SERVICES.map(of).join('');
}

/** The lines of Compose for each service: its migration, then itself. */
export function composeServices(): string {
  return SERVICES.map(composeService).join('\n');
}

function composeService(name: ServiceName): string {
  const own = composeVariables(name);
  const formerNames = hostNamesOf(name).slice(1);
  const network =
    formerNames.length > 0 ? `  networks: { default: { aliases: [${formerNames.join(', ')}] } }\n` : '';
  return `${name}-migrate:
  <<: *migration
  image: fundrail/${name}:\${FUNDRAIL_TAG:-dev}
  command: [node, apps/${name}/dist/main.js, migrate]
${name}:
  <<: *service
  image: fundrail/${name}:\${FUNDRAIL_TAG:-dev}
  build: { <<: *build, args: { APP: ${name}, NODE_IMAGE: '\${NODE_IMAGE:-node:24-bookworm-slim}' } }
${own === '' ? '' : `  environment:\n    <<: *environment\n${own}`}${TOPOLOGY[name].reachesClients ? HOST : ''}${network}  depends_on:
    ${name}-migrate: { condition: service_completed_successfully }
`;
}

const HOST = `  # Docker Desktop knows this name by itself, Docker on Linux from here.
  extra_hosts: ['host.docker.internal:host-gateway']
`;
const PROXIES = `    # The edge, on a network of Docker's.
    TRUSTED_PROXIES: 172.16.0.0/12,192.168.0.0/16,10.0.0.0/8
`;
const CALLBACKS = `    # As outside systems do, the simulated ones call back through the front door.
    CALLBACK_BASE_URL: http://edge:${PORTS.edge}
`;
function composeVariables(name: ServiceName): string {
  const { providers, sandboxOnly, readsAddresses } = TOPOLOGY[name];
  if (sandboxOnly) return CALLBACKS;
  const bases = simulatedAddresses(providers).map((line) => `    ${line.replace('=', ': ')}\n`);
  return bases.join('') + (readsAddresses ? PROXIES : '');
}

/** Where the simulator plays the providers, one variable each. */
export function simulatedAddresses(of: readonly Provider[] = PROVIDER_IDS): string[] {
  const played = SIMULATED_PROVIDERS.filter(({ provider }) => of.includes(provider));
  return played.map(
    ({ provider, path }) => `${providerUrlVariable(provider)}=http://simulator:${PORTS.http}${path}`,
  );
}

/** The addresses of all services for Compose's common variables. */
export function composeAddresses(): string {
  return addresses(SERVICES).replaceAll('=', ': ');
}

/** The edge waits for every service. */
export function composeWaits(): string {
  return SERVICES.map((name) => `${name}: { condition: service_healthy }\n`).join('');
}
