import { sql, type Queryable } from '@fundrail/persistence';

const find = sql('sign_ins.find', 'SELECT at FROM sign_ins WHERE key = $1 AND at > $2');
// Written at most once a day, so that other tokens need no write.
const note = sql(
  'sign_ins.note',
  `INSERT INTO sign_ins (key, at) SELECT $1, $2::timestamptz
    WHERE NOT EXISTS (SELECT FROM sign_ins WHERE key = $1 AND at > $2::timestamptz - interval '1 day')
   ON CONFLICT (key) DO UPDATE SET at = greatest(sign_ins.at, excluded.at)`,
);

/** Whether a sign-in of this key has succeeded since then. */
export async function hasSignedIn(tx: Queryable, key: string, since: Date): Promise<boolean> {
  return (await tx.query(find, [key, since])).length > 0;
}

export async function noteSignIn(tx: Queryable, key: string, now: Date): Promise<void> {
  await tx.query(note, [key, now]);
}
