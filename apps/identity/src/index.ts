import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { BankAccountRow } from './bank-account/bank-account.entity.ts';
import { ClientRow } from './client/client.entity.ts';
import { identityConfig } from './config.ts';
import { IdentityModule } from './identity.module.ts';
import { InvestorProfileRow } from './investor-profile/investor-profile.entity.ts';
import { MfInvestmentAccountRow } from './mf-investment-account/mf-investment-account.entity.ts';
import { IdentityTables1700000001000 } from './migrations/identity-tables.migration.ts';
import { OperatorCalls1700001040001 } from './migrations/operator-calls.migration.ts';
import {
  OperatorCallNames1900000000040,
  OperatorCallNamesIndex1900000000041,
} from './migrations/operator-call-names.migration.ts';
import { RateBuckets1700000060000 } from './migrations/rate-buckets.migration.ts';
import { identityUsedAs } from './seed/used-as.ts';
import { SignIns1700001040003 } from './migrations/sign-ins.migration.ts';
import { TenantLogos1900000000021 } from './migrations/tenant-logos.migration.ts';
import { SigningKeyRow } from './signing-key/signing-key.entity.ts';
import { TenantRow } from './tenant/tenant.entity.ts';

/** Tenants, clients and tokens; investors, their bank accounts and investment accounts. */
export const identityService: ServiceDefinition = {
  name: 'identity',
  module: IdentityModule,
  config: identityConfig,
  migrations: [
    ...serviceKitMigrations,
    IdentityTables1700000001000,
    RateBuckets1700000060000,
    OperatorCalls1700001040001,
    SignIns1700001040003,
    OperatorCallNames1900000000040,
    OperatorCallNamesIndex1900000000041,
    TenantLogos1900000000021,
  ],
  encrypted: [
    { table: 'tenants', key: ['name'], tenant: 'name', column: 'postback_secret_encrypted', type: 'text' },
    { table: 'signing_keys', key: ['kid'], tenant: null, column: 'private_jwk_encrypted', type: 'text' },
    {
      ...{ table: 'bank_accounts', key: ['id'], tenant: 'tenant', column: 'account_number_encrypted' },
      type: 'text',
      hash: 'account_number_hash',
    },
  ],
  usedAs: identityUsedAs,
  entities: [BankAccountRow, ClientRow, InvestorProfileRow, MfInvestmentAccountRow, SigningKeyRow, TenantRow],
};
