import type { ServiceDefinition } from '../db/service-definition.ts';
import type { Environment } from './environment.ts';
import { readKitConfig } from './kit-config.ts';
import { withSecrets } from './sandbox-secrets.ts';

/**
 * Reads every variable of a service as its start would, and starts nothing: for tests of manifests and compose files. Throws
 * `BadEnvironment` with the line that the start would end with.
 */
export function checkEnvironment(
  definition: Pick<ServiceDefinition, 'name' | 'config'>,
  env: Environment,
): void {
  const full = withSecrets(env);
  readKitConfig(definition.name, full);
  definition.config?.useFactory(full);
}
