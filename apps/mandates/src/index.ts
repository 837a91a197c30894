import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { mandatesConfig } from './config.ts';
import { MandateRow } from './mandate/mandate.entity.ts';
import { MandatesModule } from './mandates.module.ts';
import { MandatesDoubted1700000014000 } from './migrations/doubted.migration.ts';
import { ProviderEventsByAge1700000050400 } from './migrations/provider-events.migration.ts';
import { Mandates1700000000400 } from './migrations/mandates.migration.ts';

export { MANDATES_FAULT_POINTS, type MandatesFaultPoint } from './fault-points.ts';

/** Mandates: their life, the one running authorisation, admission of debits, permits, revocation (contract §4). */
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
  entities: [MandateRow],
};
// For tests that play the outside: the service over providers of their own.
export { mandatesConfig } from './config.ts';
export { MandateProviders } from './outside/mandate-providers.ts';
export { mandatesWiring } from './mandates.module.ts';
