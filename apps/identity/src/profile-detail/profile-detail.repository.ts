import { Rows } from '@fundrail/persistence';
import { PROFILE_DETAILS_TABLE } from './profile-detail.table.ts';

export const profileDetails = new Rows(PROFILE_DETAILS_TABLE);
