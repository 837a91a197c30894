import type { FactoryProvider } from '@nestjs/common';
import { z } from 'zod';

/** The variables that a service was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Injection token of the `Environment`. In the sandbox it already holds the default secrets (`SANDBOX_SECRETS`). */
export const ENVIRONMENT = Symbol('fundrail:environment');

/** A wrong variable, which stops the start. The message is one line that names it and states what it should be. */
export class BadEnvironment extends Error {}

/** Reads variables by a schema. Throws `BadEnvironment` naming the first variable that is wrong; the message never has its value. */
export function parseEnvironment<T>(schema: z.ZodType<T>, env: Environment): T {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new BadEnvironment(
    env[name] === undefined
      ? `${name} is required: ${issue?.message ?? ''}`
      : `${name} ${issue?.message ?? ''}`,
  );
}

/** The provider of a service's own configuration. `ServiceDefinition` names it, so that its variables can be checked without a start. */
export interface ConfigProvider<T extends object = object> extends FactoryProvider<T> {
  readonly useFactory: (env: Environment) => T;
}

/**
 * The provider of a service's own configuration: `configProvider(OrdersConfig, schema)`, where the schema creates the
 * configuration from the variables (`z.object({ … }).transform(…)`). Parsed once; a bad value stops the start.
 */
export function configProvider<T extends object>(
  token: abstract new (...args: never[]) => T,
  schema: z.ZodType<T>,
): ConfigProvider<T> {
  return {
    provide: token,
    inject: [ENVIRONMENT],
    useFactory: (env: Environment) => parseEnvironment(schema, env),
  };
}
