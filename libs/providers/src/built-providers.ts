import { PROVIDER_IDS, providerNameOf } from '@fundrail/contracts';
import { z } from 'zod';
import type { Observation, ProviderEnvironment } from './define-provider.ts';
import { DESCRIPTORS } from './registry.ts';

/** The variables of all providers, for the schema of a service that calls them. */
export const providerVariables: z.ZodType<Readonly<Record<string, unknown>>> = z.object(
  Object.assign({}, ...PROVIDER_IDS.map((id) => DESCRIPTORS[id].env)) as z.ZodRawShape,
);

/**
 * All payment providers. One of them is the order gateway too, and transfers all money, also money that another one collected. The
 * first with a checkout is the default of the hosted page (PAY-10).
 */
export function buildProviders(env: ProviderEnvironment, observation: Observation) {
  const all = PROVIDER_IDS.map((id) =>
    DESCRIPTORS[id].build(env, { ...observation, name: providerNameOf(id) }),
  );
  const transfers = all.flatMap((provider) => provider.transferGateway ?? [])[0];
  if (!transfers) throw new Error('no provider transfers money to the order gateway');
  return { transfers, all };
}
