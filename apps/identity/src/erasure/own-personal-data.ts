import type { ErasedTable, PersonIds } from '@fundrail/contracts';
import type { Queryable, Tx } from '@fundrail/persistence';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Injectable } from '@nestjs/common';
import {
  accountNumberCell,
  erasedBankAccount,
  maskedNumber,
  toBankAccount,
} from '../bank-account/bank-account.ts';
import { bankAccounts } from '../bank-account/bank-account.repository.ts';
import { toInvestorProfile } from '../investor-profile/investor-profile.ts';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import type { InvestorProfileRow } from '../investor-profile/investor-profile.table.ts';
import { toMfInvestmentAccount } from '../mf-investment-account/mf-investment-account.ts';
import { mfInvestmentAccounts } from '../mf-investment-account/mf-investment-account.repository.ts';
import { toProfileDetail } from '../profile-detail/profile-detail.ts';
import { profileDetails, removeProfileDetails } from '../profile-detail/profile-detail.repository.ts';

/** Values that a person cannot have: no PAN has this letter for the kind of its holder. */
const ERASED = { name: 'Erased', pan: 'XXXXX0000X', date_of_birth: '1900-01-01' };

type Key = Pick<InvestorProfileRow, 'tenant' | 'id'>;

/** What identity itself stores about a person. Every table of it with personal columns is named here. */
@Injectable()
export class OwnPersonalData {
  constructor(private readonly cipher: DataCipher) {}

  /** The ids by which services know the person, and when its data was last processed here. */
  async personOf(
    db: Queryable,
    profile: InvestorProfileRow,
  ): Promise<{ person: Omit<PersonIds, 'subjects'>; processedAt: Date }> {
    const { banks, accounts, details } = await this.rowsOf(db, profile);
    const times = [...banks, ...accounts, ...details].map(({ created_at }) => created_at.getTime());
    const own = [profile.created_at, profile.changed_at ?? profile.created_at].map((at) => at.getTime());
    return {
      person: {
        tenant: profile.tenant,
        investor_profile: profile.id,
        mf_investment_accounts: accounts.map(({ id }) => id),
        bank_accounts: banks.map(({ old_id }) => old_id),
      },
      processedAt: new Date(Math.max(...own, ...times)),
    };
  }

  /** As the routes answer it; account numbers are whole, or masked. */
  async shown(db: Queryable, profile: InvestorProfileRow, isWhole: boolean) {
    const { banks, accounts, details } = await this.rowsOf(db, profile);
    const numberOf = (bank: (typeof banks)[number]) =>
      this.cipher.decrypt(bank.account_number_encrypted, accountNumberCell(bank));
    return {
      investor_profiles: [toInvestorProfile(profile)],
      bank_accounts: banks.map((bank) =>
        toBankAccount(bank, isWhole ? numberOf(bank) : maskedNumber(numberOf(bank))),
      ),
      mf_investment_accounts: accounts.map(toMfInvestmentAccount),
      profile_details: details.map((row) => toProfileDetail(row, this.cipher)),
    };
  }

  /** Overwrites all of it and returns the proof. Details go as a whole, with the folio defaults that name them. */
  async erase(tx: Tx, profile: InvestorProfileRow): Promise<ErasedTable[]> {
    const { banks, accounts, details } = await this.rowsOf(tx, profile);
    const { tenant, id } = profile;
    const { name, pan, date_of_birth } = ERASED;
    const contacts = { email: null, mobile_isd_code: null, mobile_number: null };
    await investorProfiles.update(
      tx,
      { tenant, id },
      { name, pan, date_of_birth, ...contacts, erasure: 'done' },
    );
    for (const bank of banks)
      await bankAccounts.update(tx, { tenant, id: bank.id }, erasedBankAccount(bank, name, this.cipher));
    const noContacts = { communication_email_address: null, communication_mobile_number: null };
    const noDefaults = { ...noContacts, further_defaults: null };
    await mfInvestmentAccounts.update(tx, { tenant, primary_investor: id }, noDefaults);
    await removeProfileDetails(tx, tenant, id);
    const counted = {
      investor_profiles: 1,
      bank_accounts: banks.length,
      mf_investment_accounts: accounts.length,
    };
    return Object.entries({ ...counted, profile_details: details.length }).map(([table, rows]) => ({
      service: 'identity',
      table,
      rows,
    }));
  }

  private async rowsOf(db: Queryable, { tenant, id }: Key) {
    return {
      banks: await bankAccounts.list(db, { tenant, profile: id }, 't.id'),
      accounts: await mfInvestmentAccounts.list(db, { tenant, primary_investor: id }, 't.id'),
      details: await profileDetails.list(db, { tenant, profile: id }, 't.id'),
    };
  }
}
