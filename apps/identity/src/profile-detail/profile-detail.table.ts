import type { ProfileDetailKind } from '@fundrail/contracts';
import { defineTable, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** What a profile has besides its own fields (INV-15), of every kind. All of it is personal data, so the content is one encrypted JSON. */
export const PROFILE_DETAILS_TABLE = defineTable('profile_details', {
  id: text().primary(),
  tenant: text(),
  kind: text<ProfileDetailKind>(),
  profile: text(),
  content_encrypted: text(),
  created_at: timestamptz(),
});

export type ProfileDetailRow = RowOf<typeof PROFILE_DETAILS_TABLE>;
