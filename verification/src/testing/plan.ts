import { addDays } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { ok, seedOf } from './purchase.ts';

const PLANS = '/v2/mf_redemption_plans';

/**
 * Redeems monthly on the 10th, with the investor's consent; `more` contains the amount and the number of installments. Returns the plan's
 * id.
 */
export async function activePlan(client: ApiClient, more: object): Promise<string> {
  const { mf_investment_account, consent } = await seedOf(client);
  const monthly = { systematic: true, frequency: 'monthly', installment_day: 10 };
  const plan = { mf_investment_account, consent, scheme: 'INF209K01VD7', folio_number: '91012345678' };
  const id = String(ok(await client.post(PLANS, { ...monthly, ...plan, ...more })).body['id']);
  const reached = async () => (await planOf(client, id))['state'] === 'active';
  await waitFor(reached, { limitMs: 60_000, what: `plan ${id} to be active` });
  return id;
}

export async function planOf(client: ApiClient, id: string): Promise<Record<string, unknown>> {
  return ok(await client.get(`${PLANS}/${id}`)).body;
}

/** An installment as GET answers it; the fields that a test reads by name. */
interface Installment extends Record<string, unknown> {
  readonly id: string;
  readonly old_id: number;
  readonly installment_number: number;
}

/** The plan's installments so far, in order. */
export async function installmentsOf(client: ApiClient, plan: string): Promise<readonly Installment[]> {
  const { body } = ok(await client.get(`/v2/mf_redemptions?plan=${plan}`));
  return (body['data'] as Installment[]).toReversed();
}

/** Moves the sandbox's clock to that time of a day in India. */
export async function clockTo(client: ApiClient, date: string, time = '12:00'): Promise<void> {
  ok(await client.post('/sandbox/clock', { now: `${date}T${time}:00+05:30` }));
}

/** The same day of `count` months in a row, from `start` on; every month has the day. */
export function monthsFrom(start: string, count: number): readonly string[] {
  const [year = 0, month = 1, day = 1] = start.split('-').map(Number);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - 1 + index, day)).toISOString().slice(0, 10),
  );
}

/** The date, or the next one that is neither on a weekend nor a holiday. */
export function businessDayFrom(date: string, holidays: readonly string[]): string {
  const isFree = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()) || holidays.includes(date);
  return isFree ? businessDayFrom(addDays(date, 1), holidays) : date;
}
