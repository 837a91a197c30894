import { newId, type Compatibility, type SeedFacts } from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import type { Queryable, Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { newBankAccount } from '../bank-account/bank-account.ts';
import { bankAccounts } from '../bank-account/bank-account.repository.ts';
import type { BankAccountRow } from '../bank-account/bank-account.table.ts';
import { bankOfBranch } from '../bank-account/branch.ts';
import { hashSecret, newSecret } from '../client/client-secret.ts';
import { insertClient } from '../client/client.repository.ts';
import { newInvestorProfile } from '../investor-profile/investor-profile.ts';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { newMfInvestmentAccount } from '../mf-investment-account/mf-investment-account.ts';
import { mfInvestmentAccounts } from '../mf-investment-account/mf-investment-account.repository.ts';
import { defaultSettings, postbackSecretCell } from '../tenant/tenant.ts';
import { findTenant, insertTenant } from '../tenant/tenant.repository.ts';
import { SEED } from './seed.ts';
import { findSeed, insertSeed, lockSeed } from './seed.repository.ts';

/** Seeds a sandbox with its two tenants, their clients and an investor for each: once, for any number of starts and replicas. */
@Injectable()
export class SeedSandbox {
  constructor(
    private readonly database: Database,
    private readonly cipher: DataCipher,
  ) {}

  async execute(): Promise<void> {
    if (await this.isSeeded(this.database)) return;
    const [client, admin] = await Promise.all(
      [SEED.client, SEED.admin].map((one) => hashSecret(one.client_secret)),
    );
    if (client === undefined || admin === undefined) throw new Error('the seed must have two clients');
    await this.database.transaction(async (tx) => {
      await lockSeed(tx);
      if (!(await findSeed(tx))) {
        await this.addTenant(tx, SEED.tenant, { client, admin }, null);
        await insertSeed(tx, await this.addInvestor(tx, SEED.tenant));
      }
      // A sandbox of an earlier release lacks it.
      if (await findTenant(tx, SEED.upstream)) return;
      await this.addTenant(tx, SEED.upstream, { client }, 'upstream');
      await this.addInvestor(tx, SEED.upstream);
    });
  }

  private async isSeeded(db: Queryable): Promise<boolean> {
    return (await findSeed(db)) !== null && (await findTenant(db, SEED.upstream)) !== null;
  }

  /** The tenant with those of the clients whose secret's hash is given. */
  private async addTenant(
    tx: Tx,
    name: string,
    hashes: { readonly client: string; readonly admin?: string },
    compatibility: Compatibility | null,
  ): Promise<void> {
    const postback = this.cipher.encrypt(newSecret(), postbackSecretCell(name));
    // Clients of the upstream check out by its SDK first, and this tenant's client cannot enable that.
    const settings = { ...defaultSettings(true), compatibility, sdk_options_enabled: compatibility !== null };
    const made = { id: newId('tenant'), settings, created_at: tx.now };
    await insertTenant(tx, { ...made, name, postback_secret_encrypted: postback });
    for (const which of ['client', 'admin'] as const) {
      const secret_hash = hashes[which];
      if (secret_hash === undefined) continue;
      const { client_id, scope } = SEED[which];
      await insertClient(tx, { tenant: name, client_id, scope, secret_hash, created_at: tx.now });
    }
  }

  private async addInvestor(tx: Tx, tenant: string): Promise<SeedFacts> {
    const given = { tenant, now: tx.now };
    const profile = await investorProfiles.create(
      tx,
      newInvestorProfile(SEED.investor, { ...given, id: newId('investorProfile') }),
    );
    const bank = await this.addBankAccount(tx, tenant, profile.id);
    const account = newMfInvestmentAccount(
      {
        primary_investor: profile.id,
        holding_pattern: 'single',
        folio_defaults: { payout_bank_account: bank.id },
      },
      { ...given, id: newId('investmentAccount') },
    );
    await mfInvestmentAccounts.insert(tx, account);
    return {
      tenant,
      client: SEED.client,
      admin: SEED.admin,
      investor_profile: profile.id,
      bank_account: bank.id,
      bank_account_id: bank.old_id,
      mf_investment_account: account.id,
      consent: {
        email: SEED.investor.email,
        isd_code: SEED.investor.mobile.isd_code,
        mobile: SEED.investor.mobile.number,
      },
    };
  }

  private addBankAccount(tx: Tx, tenant: string, profile: string): Promise<BankAccountRow> {
    const bank = bankOfBranch(SEED.bank.ifsc_code);
    if (!bank) throw new Error('the branch of the seed is not in the ifsc list');
    const given = { ...bank, tenant, created_at: tx.now };
    return bankAccounts.create(tx, newBankAccount({ ...SEED.bank, profile }, given, this.cipher));
  }
}
