import { PROVIDERS, type ProviderEntry } from './providers.ts';

/** A provider by its folder, its paths and its metrics; `ProviderName` is the same on the wire. */
export type Provider = keyof typeof PROVIDERS;
export type ProviderName = Uppercase<Provider>;
/** `GATEWAYPOA_API_KEY`. */
export type ProviderSecret = {
  [P in Provider]: `${Uppercase<P>}_${(typeof PROVIDERS)[P]['secrets'][number]}`;
}[Provider];

const ENTRIES = Object.entries(PROVIDERS) as readonly (readonly [Provider, ProviderEntry])[];

export function providerNameOf(provider: Provider): ProviderName {
  return provider.toUpperCase() as ProviderName;
}

/** Every provider, in the order of the table. */
export const PROVIDER_IDS = ENTRIES.map(([provider]) => provider);
export const PROVIDER_NAMES = PROVIDER_IDS.map(providerNameOf);

/** The providers that the sandbox's simulator plays, each with its path there. */
export const SIMULATED_PROVIDERS = ENTRIES.flatMap(([provider, { simulatedAt }]) =>
  simulatedAt === undefined ? [] : [{ provider, path: simulatedAt }],
);

/** The order gateway, as the provider that it is too. */
export const GATEWAY_PROVIDERS = ENTRIES.filter(([, { gateway }]) => gateway).map(([provider]) =>
  providerNameOf(provider),
);

/** The variable with the address of a provider. */
export function providerUrlVariable(provider: Provider): string {
  return `${providerNameOf(provider)}_BASE_URL`;
}

/** The Secrets of a provider, as variables, each with the sandbox's value. */
export function secretsOfProvider(provider: Provider): Readonly<Record<string, string>> {
  const { secrets, sandbox = {} }: ProviderEntry = PROVIDERS[provider];
  const valueOf = (key: string) => `sandbox-${provider}-${key.toLowerCase().replaceAll('_', '-')}-0123456789`;
  return Object.fromEntries(
    secrets.map((key) => [`${providerNameOf(provider)}_${key}`, sandbox[key] ?? valueOf(key)]),
  );
}

/** The addresses where the providers report to a service. */
export function callbacksTo(service: 'payments' | 'mandates') {
  return ENTRIES.flatMap(([provider, { callbacks = { payments: provider } }]) => {
    const path = callbacks[service];
    return path === undefined
      ? []
      : [{ provider, name: providerNameOf(provider), path: `/callbacks/${path}` }];
  });
}
