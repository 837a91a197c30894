import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Module } from '@nestjs/common';
import { AuditController } from './audit/audit.controller.ts';
import { RevealAudit } from './bank-account/reveal-audit.ts';
import { InternalAuditController } from './audit/internal-audit.controller.ts';
import { InternalOperatorCallController } from './audit/internal-operator-call.controller.ts';
import { BankAccountController } from './bank-account/bank-account.controller.ts';
import { CreateBankAccount } from './bank-account/create-bank-account.ts';
import { InternalBankAccountController } from './bank-account/internal-bank-account.controller.ts';
import { ClientController } from './client/client.controller.ts';
import { CreateClient } from './client/create-client.ts';
import { identityConfig } from './config.ts';
import { LookAtPerson } from './erasure/look-at-person.ts';
import { OwnPersonalData } from './erasure/own-personal-data.ts';
import { PersonElsewhere } from './erasure/person-elsewhere.ts';
import { ExportPerson } from './erasure/export-person.ts';
import { OperatorPersonalDataController } from './erasure/operator-personal-data.controller.ts';
import { PersonalDataController } from './erasure/personal-data.controller.ts';
import { RequestErasure } from './erasure/request-erasure.ts';
import { RunErasure } from './erasure/run-erasure.ts';
import { ChangeInvestorProfile } from './investor-profile/change-investor-profile.ts';
import { CreateInvestorProfile } from './investor-profile/create-investor-profile.ts';
import { InternalInvestorProfileController } from './investor-profile/internal-investor-profile.controller.ts';
import { InvestorProfileController } from './investor-profile/investor-profile.controller.ts';
import { ChangeMfInvestmentAccount } from './mf-investment-account/change-mf-investment-account.ts';
import { CreateMfInvestmentAccount } from './mf-investment-account/create-mf-investment-account.ts';
import { InternalMfInvestmentAccountController } from './mf-investment-account/internal-mf-investment-account.controller.ts';
import { MfInvestmentAccountController } from './mf-investment-account/mf-investment-account.controller.ts';
import { PolicyController } from './policy/policy.controller.ts';
import { CreateProfileDetail } from './profile-detail/create-profile-detail.ts';
import { profileDetailControllers } from './profile-detail/profile-detail.controller.ts';
import { InternalRateLeaseController } from './rate-bucket/internal-rate-lease.controller.ts';
import { LeaseRates } from './rate-bucket/lease-rates.ts';
import { UnusedBucketsLane } from './rate-bucket/unused-buckets.lane.ts';
import { EnsureOperator } from './seed/ensure-operator.ts';
import { FirstClients } from './seed/first-clients.ts';
import { SeedSandbox } from './seed/seed-sandbox.ts';
import { SeedController } from './seed/seed.controller.ts';
import { JwksController } from './signing-key/jwks.controller.ts';
import { KeyRing } from './signing-key/key-ring.ts';
import { KeyRotationLane } from './signing-key/key-rotation.lane.ts';
import { RotateSigningKeys } from './signing-key/rotate-signing-keys.ts';
import { ChangeTenantSettings } from './tenant/change-tenant-settings.ts';
import { CreateTenant } from './tenant/create-tenant.ts';
import { InternalTenantController } from './tenant/internal-tenant.controller.ts';
import { OwnTenantController } from './tenant/own-tenant.controller.ts';
import { TenantController } from './tenant/tenant.controller.ts';
import { InternalTokenController } from './token/internal-token.controller.ts';
import { Guesses } from './token/guesses.ts';
import { IssueToken } from './token/issue-token.ts';
import { KNOWN_FOR_DAYS, KnownSignIns } from './token/known-sign-ins.ts';
import { SecretChecks } from './token/secret-checks.ts';
import { TokenController } from './token/token.controller.ts';

@Module({
  controllers: [
    AuditController,
    InternalAuditController,
    BankAccountController,
    ClientController,
    InternalBankAccountController,
    InternalInvestorProfileController,
    InternalMfInvestmentAccountController,
    InternalOperatorCallController,
    InternalRateLeaseController,
    InternalTenantController,
    InternalTokenController,
    InvestorProfileController,
    JwksController,
    MfInvestmentAccountController,
    OperatorPersonalDataController,
    OwnTenantController,
    PersonalDataController,
    PolicyController,
    ...profileDetailControllers,
    SeedController,
    TenantController,
    TokenController,
  ],
  providers: [
    identityConfig,
    RevealAudit,
    ChangeInvestorProfile,
    ChangeMfInvestmentAccount,
    ChangeTenantSettings,
    CreateBankAccount,
    CreateClient,
    CreateInvestorProfile,
    CreateMfInvestmentAccount,
    CreateProfileDetail,
    CreateTenant,
    EnsureOperator,
    ExportPerson,
    FirstClients,
    Guesses,
    IssueToken,
    KeyRing,
    KeyRotationLane,
    KnownSignIns,
    LeaseRates,
    LookAtPerson,
    OwnPersonalData,
    PersonElsewhere,
    RequestErasure,
    RotateSigningKeys,
    RunErasure,
    SecretChecks,
    SeedSandbox,
    UnusedBucketsLane,
    forgetOldRows({ table: 'sign_ins', column: 'at', days: KNOWN_FOR_DAYS, clock: 'wall' }),
  ],
})
export class IdentityModule {}
