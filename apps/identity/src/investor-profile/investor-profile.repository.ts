import { Rows, saveRow } from '@fundrail/persistence';
import { INVESTOR_PROFILES } from './investor-profile.table.ts';

export const investorProfiles = new Rows(INVESTOR_PROFILES);

export const updateInvestorContacts = saveRow(INVESTOR_PROFILES, 'id');
