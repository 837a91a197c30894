import { sql, type Queryable } from '@fundrail/messaging';

/** PostgreSQL cuts an `application_name` after 63 bytes: the longest service's name and four ids fit. */
const MOST_IDS = 4;

const connected = sql(
  'replica_keys.connected',
  `SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND starts_with(application_name, $1)`,
);

/** What a replica's connections call themselves: whoever looks at the database sees which keys it has, the one that encrypts first. */
export function nameWithKeys(service: string, keyIds: readonly string[]): string {
  return [`fundrail-${service}`, ...keyIds.slice(0, MOST_IDS)].join(' ');
}

/** The ids of the keys of each kind of replica that is connected now. */
export async function connectedKeys(db: Queryable, service: string): Promise<readonly (readonly string[])[]> {
  const rows = await db.query<{ application_name: string }>(connected, [`fundrail-${service} `]);
  return rows.map(({ application_name }) => application_name.split(' ').slice(1));
}
