import type { ProviderName } from '@fundrail/contracts';
import type { z } from 'zod';
import type { HttpCallerOptions } from './http-caller.ts';
import type { PaymentProvider } from './ports.ts';

/** What measures the calls, and the clock of due work. */
export type Observation = Pick<HttpCallerOptions, 'observe' | 'businessTime'>;

/** Parsed variables of a service that calls providers; those of the providers are among them. */
export interface ProviderEnvironment extends Readonly<Record<string, unknown>> {
  readonly SANDBOX: string;
  readonly PUBLIC_BASE_URL: string;
}

interface Definition<Env extends z.ZodRawShape, Parsed> {
  /** Its variables, each with its name in front: its address is `…_BASE_URL`. */
  readonly env: Env;
  /** What it reports to its callback address of payments, for the document of the interface. */
  readonly reports: string;
  build(env: Parsed, surroundings: Observation & { readonly name: ProviderName }): PaymentProvider;
}

/** A provider as its folder describes it. `registry.ts` has them all, by the names of `PROVIDERS` in libs/contracts. */
export type ProviderDescriptor = Definition<z.ZodRawShape, ProviderEnvironment>;

/** Describes a provider: its variables, and how it is built from them. */
export function defineProvider<Env extends z.ZodRawShape>(
  definition: Definition<Env, ProviderEnvironment & z.output<z.ZodObject<Env>>>,
): ProviderDescriptor {
  type Parsed = ProviderEnvironment & z.output<z.ZodObject<Env>>;
  // `providerVariables` has parsed them by the same `env`.
  return { ...definition, build: (env, surroundings) => definition.build(env as Parsed, surroundings) };
}
