import { sql, type Queryable } from '@fundrail/persistence';
import type { DataCipher } from '../crypto/data-cipher.ts';

/** PostgreSQL cuts an `application_name` after 63 bytes: the longest service's name, four ids and a mark fit. */
const MOST_IDS = 4;

/** The mark after the ids: the replica reads format v2, and writes v2 (`v2`) or, by its variable, v1 (`v2r`). An older release has no mark. */
const MARK = { v2: 'v2', v1: 'v2r' } as const;

const connected = sql(
  'replica_keys.connected',
  `SELECT DISTINCT application_name, coalesce(usename = session_user, false) AS has_our_login FROM pg_stat_activity
    WHERE datname = current_database() AND starts_with(application_name, $1)`,
);

/** The keys and formats of one kind of replica that is connected now. */
export interface ReplicaKeys {
  /** The `application_name` of its connections. */
  readonly applicationName: string;
  /** Whether it uses our login; any login of the database may use the name of a replica. */
  readonly hasOurLogin: boolean;
  /** The encrypting key first. */
  readonly ids: readonly string[];
  readonly readsV2: boolean;
  /** Because of its `DATA_ENCRYPTION_FORMAT`, or because it supports only v1. */
  readonly writesV1: boolean;
}

/** The `application_name` of a replica's connections, which shows its keys, the encrypting one first, and its formats. */
export function nameWithKeys(
  service: string,
  { keyIds, format }: Pick<DataCipher, 'keyIds' | 'format'>,
): string {
  return [`fundrail-${service}`, ...keyIds.slice(0, MOST_IDS), MARK[format]].join(' ');
}

/** Each kind of replica that is connected now. */
export async function connectedKeys(db: Queryable, service: string): Promise<readonly ReplicaKeys[]> {
  const rows = await db.query<{ application_name: string; has_our_login: boolean }>(connected, [
    `fundrail-${service} `,
  ]);
  return rows.map(({ application_name, has_our_login }) => {
    const words = application_name.split(' ').slice(1);
    const mark = words.find((word) => word === MARK.v1 || word === MARK.v2);
    const ids = words.filter((word) => word !== mark);
    const replica = { applicationName: application_name, hasOurLogin: has_our_login };
    return { ...replica, ids, readsV2: mark !== undefined, writesV1: mark !== MARK.v2 };
  });
}
