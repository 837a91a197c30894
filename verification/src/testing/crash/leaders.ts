/** A query of a service's database: how many sessions hold the advisory lock of its relay. There is never more than one. */
export const LEADERS = `SELECT count(DISTINCT pid)::int AS leaders FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32 | objid::bigint) = 7383354001346849132
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
