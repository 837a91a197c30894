import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { mandatesConfig } from './config.ts';
import { MANDATES } from './mandate/mandate.table.ts';
import { DEBIT_ATTEMPTS, MANDATE_DEBITS } from './debit/debit.table.ts';
import { MandatesBaseline1700001000001 } from './migrations/0001-baseline.migration.ts';
import { AskedNow1900000000112 } from './migrations/asked-now.migration.ts';
import { DebitDays1900000000093 } from './migrations/debit-days.migration.ts';
import { DebitHolders1900000000061 } from './migrations/debit-holders.migration.ts';
import { Debits1900000000060 } from './migrations/debits.migration.ts';
import { NoticeMerchants1900000000096 } from './migrations/notice-merchants.migration.ts';
import { OpenProviderNames1900000000070 } from './migrations/open-provider-names.migration.ts';
import { OptedOutDebits1900000000111 } from './migrations/opted-out-debits.migration.ts';
import { MANDATES_PERSONAL } from './mandate/personal.tables.ts';
import { MandatesModule } from './mandates.module.ts';
import { MANDATE_SEQUENCES } from './reconciliation/standing.repository.ts';

export { type MandatesFaultPoint } from './fault-points.ts';

/** Mandates: their states, the one running authorisation, revocation, and their debits (docs/specification/mandates.md, debits.md). */
export const mandatesService: ServiceDefinition = {
  name: 'mandates',
  module: MandatesModule,
  config: mandatesConfig,
  migrations: [
    ...serviceKitMigrations,
    MandatesBaseline1700001000001,
    Debits1900000000060,
    DebitHolders1900000000061,
    OpenProviderNames1900000000070,
    DebitDays1900000000093,
    NoticeMerchants1900000000096,
    OptedOutDebits1900000000111,
    AskedNow1900000000112,
  ],
  tables: [MANDATES, MANDATE_DEBITS, DEBIT_ATTEMPTS],
  personal: MANDATES_PERSONAL,
  sequences: MANDATE_SEQUENCES,
};
// For tests that replace the providers: the service with providers of their own.
export { mandatesConfig } from './config.ts';
export { MandateProviders } from './outside/mandate-providers.ts';
export { mandatesWiring } from './mandates.module.ts';
