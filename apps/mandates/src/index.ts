import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { mandatesConfig } from './config.ts';
import { MANDATES } from './mandate/mandate.table.ts';
import { MandatesModule } from './mandates.module.ts';
import { MandatesDoubted1700000014000 } from './migrations/doubted.migration.ts';
import { ProviderEventsByAge1700000050400 } from './migrations/provider-events.migration.ts';
import { Mandates1700000000400 } from './migrations/mandates.migration.ts';

export { type MandatesFaultPoint } from './fault-points.ts';

/**
 * Mandates: their states, the one running authorisation, admission of debits, permits, revocation (docs/specification/mandates.md).
 */
export const mandatesService: ServiceDefinition = {
  name: 'mandates',
  module: MandatesModule,
  config: mandatesConfig,
  migrations: [
    ...serviceKitMigrations,
    Mandates1700000000400,
    MandatesDoubted1700000014000,
    ProviderEventsByAge1700000050400,
  ],
  tables: [MANDATES],
};
// For tests that replace the providers: the service with providers of their own.
export { mandatesConfig } from './config.ts';
export { MandateProviders } from './outside/mandate-providers.ts';
export { mandatesWiring } from './mandates.module.ts';
