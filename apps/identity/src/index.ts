import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { BANK_ACCOUNTS } from './bank-account/bank-account.table.ts';
import { CLIENTS } from './client/client.table.ts';
import { identityConfig } from './config.ts';
import { ERASURES } from './erasure/erasure.table.ts';
import { IdentityModule } from './identity.module.ts';
import { INVESTOR_PROFILES } from './investor-profile/investor-profile.table.ts';
import { MF_INVESTMENT_ACCOUNTS } from './mf-investment-account/mf-investment-account.table.ts';
import { IdentityBaseline1700001000001 } from './migrations/0001-baseline.migration.ts';
import { Erasures1900000000121 } from './migrations/erasures.migration.ts';
import { OperatorCalls1700001040001 } from './migrations/operator-calls.migration.ts';
import {
  OperatorCallNames1900000000040,
  OperatorCallNamesIndex1900000000041,
} from './migrations/operator-call-names.migration.ts';
import { identityUsedAs } from './seed/used-as.ts';
import { ProfileDetails1900000000096 } from './migrations/profile-details.migration.ts';
import { SignIns1700001040003 } from './migrations/sign-ins.migration.ts';
import { TenantLogos1900000000021 } from './migrations/tenant-logos.migration.ts';
import { PROFILE_DETAILS_TABLE } from './profile-detail/profile-detail.table.ts';
import { SIGNING_KEYS } from './signing-key/signing-key.table.ts';
import { TENANTS } from './tenant/tenant.table.ts';

/** Tenants, clients and tokens; investors, their bank accounts and investment accounts. */
export const identityService: ServiceDefinition = {
  name: 'identity',
  module: IdentityModule,
  config: identityConfig,
  migrations: [
    ...serviceKitMigrations,
    IdentityBaseline1700001000001,
    OperatorCalls1700001040001,
    SignIns1700001040003,
    OperatorCallNames1900000000040,
    OperatorCallNamesIndex1900000000041,
    TenantLogos1900000000021,
    ProfileDetails1900000000096,
    Erasures1900000000121,
  ],
  encrypted: [
    { table: 'tenants', key: ['name'], tenant: 'name', column: 'postback_secret_encrypted', type: 'text' },
    { table: 'signing_keys', key: ['kid'], tenant: null, column: 'private_jwk_encrypted', type: 'text' },
    {
      ...{ table: 'bank_accounts', key: ['id'], tenant: 'tenant', column: 'account_number_encrypted' },
      type: 'text',
      hash: 'account_number_hash',
    },
    { table: 'profile_details', key: ['id'], tenant: 'tenant', column: 'content_encrypted', type: 'text' },
  ],
  usedAs: identityUsedAs,
  tables: [
    BANK_ACCOUNTS,
    CLIENTS,
    ERASURES,
    INVESTOR_PROFILES,
    MF_INVESTMENT_ACCOUNTS,
    PROFILE_DETAILS_TABLE,
    SIGNING_KEYS,
    TENANTS,
  ],
};
