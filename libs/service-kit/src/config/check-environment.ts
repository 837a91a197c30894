import type { ServiceDefinition } from '../db/service-definition.ts';
import type { Environment } from './environment.ts';
import { readKitConfig } from './kit-config.ts';
import { applyPolicyOverrides } from './policy-overrides.ts';
import { withSecrets } from './sandbox-secrets.ts';

/**
 * Reads every variable of a service as its start does, and starts nothing: for tests of manifests and compose files. Throws
 * `BadEnvironment` with the line with which the start would end.
 */
export function checkEnvironment(
  definition: Pick<ServiceDefinition, 'name' | 'config'>,
  env: Environment,
): void {
  const full = withSecrets(env);
  applyPolicyOverrides(full);
  readKitConfig(definition.name, full);
  definition.config?.useFactory(full);
}
