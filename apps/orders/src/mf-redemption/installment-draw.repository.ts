import { newId } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

/** A request for the next installment of a plan; `key` is its Idempotency-Key. */
interface Draw {
  readonly tenant: string;
  readonly key: string | null;
  readonly plan: string;
}

// An Idempotency-Key identifies one request for 24 hours (IDEM-6). After that the same key belongs to another request.
const note = sql(
  'installment_draws.note',
  `INSERT INTO installment_draws AS d (tenant, key, plan, redemption, drawn_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (tenant, key) DO UPDATE SET
     (plan, redemption, drawn_at) = (SELECT excluded.plan, excluded.redemption, excluded.drawn_at
       WHERE d.plan <> excluded.plan OR d.drawn_at <= excluded.drawn_at - interval '24 hours'
       UNION ALL SELECT d.plan, d.redemption, d.drawn_at LIMIT 1)
   RETURNING redemption`,
);
const remove = sql(
  'installment_draws.forget',
  'DELETE FROM installment_draws WHERE tenant = $1 AND key = $2 AND redemption = $3',
);

/** The id of the redemption that this request creates: a new one, or the one that an earlier attempt has stored. */
export async function noteDraw(db: Queryable, { tenant, key, plan }: Draw, now: Date): Promise<string> {
  const id = newId('redemption');
  if (key === null) return id;
  const [row] = await db.query<{ redemption: string }>(note, [tenant, key, plan, id, now]);
  return row?.redemption ?? id;
}

/** Deletes the draw, because the plan has answered. The next request with the key is another one. */
export async function deleteDraw(
  db: Queryable,
  redemption: string,
  { tenant, idempotency }: { readonly tenant: string; readonly idempotency: { readonly key: string } | null },
): Promise<void> {
  if (idempotency) await db.query(remove, [tenant, idempotency.key, redemption]);
}
