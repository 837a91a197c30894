import {
  istTimestamp,
  newId,
  PROFILE_DETAILS,
  type ProfileDetailContent,
  type ProfileDetailDto,
} from '@fundrail/contracts';
import type { Cell, DataCipher } from '@fundrail/service-kit/crypto';
import { z } from 'zod';
import type { ProfileDetailRow } from './profile-detail.table.ts';

type Given = Pick<ProfileDetailRow, 'tenant' | 'kind' | 'profile' | 'created_at'>;

const stored = z.record(z.string(), z.unknown());

/** The cell that stores a detail's content, encrypted. */
function contentCell({ id, tenant }: Pick<ProfileDetailRow, 'id' | 'tenant'>): Cell {
  return { table: 'profile_details', column: 'content_encrypted', tenant, key: [id] };
}

/** A new detail. Fields of its kind that are left out are stored as null. */
export function newProfileDetail(
  input: ProfileDetailContent,
  given: Given,
  cipher: DataCipher,
): ProfileDetailRow {
  const { id: prefix, required, optional } = PROFILE_DETAILS[given.kind];
  const id = newId(prefix);
  const fields = Object.keys({ ...required, ...optional }).map((name) => [name, input[name] ?? null]);
  const content = JSON.stringify(Object.fromEntries(fields));
  return { ...given, id, content_encrypted: cipher.encrypt(content, contentCell({ ...given, id })) };
}

/** The personal fields of a detail. */
export function contentOf(row: ProfileDetailRow, cipher: DataCipher): ProfileDetailContent {
  return stored.parse(JSON.parse(cipher.decrypt(row.content_encrypted, contentCell(row))));
}

export function toProfileDetail(row: ProfileDetailRow, cipher: DataCipher): ProfileDetailDto {
  const { kind: object, id, profile } = row;
  return { object, id, profile, ...contentOf(row, cipher), created_at: istTimestamp(row.created_at) };
}
