import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { ok, seedOf } from './purchase.ts';

/** A UPI Autopay mandate of ₹5000 over the seeded bank account, changed by `more`; not authorised yet. Returns its id. */
export async function createdMandate(client: ApiClient, more: object = {}): Promise<number> {
  const { bank_account_id } = await seedOf(client);
  const body = { mandate_type: 'upi', bank_account_id, provider_name: 'GATEWAYPOA', mandate_limit: 5000 };
  return Number(ok(await client.post('/api/pg/mandates', { ...body, ...more })).body['id']);
}

export function untilMandate(client: ApiClient, id: number, wanted: string): Promise<unknown> {
  const reached = async () => (await client.get(`/api/pg/mandates/${id}`)).body['mandate_status'] === wanted;
  return waitFor(reached, { limitMs: 60_000, what: `mandate ${id} to be ${wanted}` });
}

/** A mandate that the investor has approved in the UPI app. Returns its id. */
export async function approvedMandate(client: ApiClient, more: object = {}): Promise<number> {
  const mandate = await createdMandate(client, more);
  ok(await client.post('/api/pg/payments/emandate/auth', { mandate_id: mandate, upi: { type: 'uri' } }));
  ok(await client.post(`/api/pg/simulate/mandates/${mandate}`, { status: 'APPROVED' }));
  await untilMandate(client, mandate, 'APPROVED');
  return mandate;
}
