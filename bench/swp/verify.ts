import type { Client } from 'pg';

/** The duplicates and the missing ones. */
export interface Found {
  readonly doubles: number;
  readonly missed: number;
}

/** Of each plan the second installment, its event, and its course one on. */
export async function verifyPlans(client: Client, plans: number): Promise<Found> {
  const number = (text: string) => countOf(client, text);
  const installments = await number(
    'SELECT count(*) AS n FROM plan_installments WHERE installment_number = 2',
  );
  const redemptions = await number(
    'SELECT count(DISTINCT redemption) AS n FROM plan_installments WHERE installment_number = 2',
  );
  const others = await number(
    'SELECT count(*) AS n FROM plan_installments WHERE installment_number NOT IN (1, 2)',
  );
  const generated = `FROM outbox WHERE type = 'mf_redemption_plan.installment_generated'`;
  const events = await number(`SELECT count(*) AS n ${generated}`);
  const plansWithEvent = await number(`SELECT count(DISTINCT aggregate_id) AS n ${generated}`);
  const courses = await number(
    `SELECT count(*) AS n FROM plan_courses WHERE made = 2 AND event_seq >= 7 AND next_date = '2026-12-07'`,
  );
  return {
    doubles: installments - redemptions + others + (events - plansWithEvent),
    missed: plans - Math.min(installments, plansWithEvent, courses),
  };
}

/** Of each plan one redemption. */
export async function verifyOrders(client: Client, plans: number): Promise<Found> {
  const orders = await countOf(client, `SELECT count(*) AS n FROM mf_orders WHERE kind = 'redemption'`);
  const distinct = await countOf(
    client,
    'SELECT count(DISTINCT (plan, installment_number)) AS n FROM mf_orders',
  );
  return { doubles: orders - distinct, missed: plans - distinct };
}

/** Redemptions that orders has so far. */
export function countOrders(client: Client): Promise<number> {
  return countOf(client, 'SELECT count(*) AS n FROM mf_orders');
}

async function countOf(client: Client, text: string): Promise<number> {
  return Number((await client.query<{ n: string }>(text)).rows[0]?.n);
}
