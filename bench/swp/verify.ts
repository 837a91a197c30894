import type { Client } from 'pg';
import { steppingUp } from './fill-purchases.ts';
import { EVENTS } from './fill.ts';
import type { Kind } from './kinds.ts';

/** The duplicates and the missing ones. */
export interface Found {
  readonly doubles: number;
  readonly missed: number;
}

/** Of each plan the installment that fell due, its event, its course one on, and the step-up where one was due. */
export async function verifyPlans(client: Client, plans: number, kind: Kind): Promise<Found> {
  const due = kind.made + 1;
  const number = (text: string) => countOf(client, text);
  const installments = await number(
    `SELECT count(*) AS n FROM plan_installments WHERE installment_number = ${due}`,
  );
  const redemptions = await number(
    `SELECT count(DISTINCT redemption) AS n FROM plan_installments WHERE installment_number = ${due}`,
  );
  const others = await number(
    `SELECT count(*) AS n FROM plan_installments WHERE installment_number NOT IN (${kind.made}, ${due})`,
  );
  const generated = `FROM outbox WHERE type = '${kind.event}'`;
  const events = await number(`SELECT count(*) AS n ${generated}`);
  const plansWithEvent = await number(`SELECT count(DISTINCT aggregate_id) AS n ${generated}`);
  const courses = await number(
    `SELECT count(*) AS n FROM plan_courses WHERE made = ${due} AND event_seq > ${EVENTS} AND next_date > '${kind.next}'`,
  );
  const stepped = await number('SELECT count(*) AS n FROM plan_courses WHERE steps_passed = 1');
  const steps = kind.kind === 'purchase' ? steppingUp(plans) : 0;
  return {
    doubles: installments - redemptions + others + (events - plansWithEvent),
    missed: plans - Math.min(installments, plansWithEvent, courses) + Math.abs(steps - stepped),
  };
}

/** Of each plan one order. */
export async function verifyOrders(client: Client, plans: number, { kind }: Kind): Promise<Found> {
  const orders = await countOf(client, `SELECT count(*) AS n FROM mf_orders WHERE kind = '${kind}'`);
  const distinct = await countOf(
    client,
    'SELECT count(DISTINCT (plan, installment_number)) AS n FROM mf_orders',
  );
  return { doubles: orders - distinct, missed: plans - distinct };
}

/** Orders that there are so far. */
export function countOrders(client: Client): Promise<number> {
  return countOf(client, 'SELECT count(*) AS n FROM mf_orders');
}

async function countOf(client: Client, text: string): Promise<number> {
  return Number((await client.query<{ n: string }>(text)).rows[0]?.n);
}
