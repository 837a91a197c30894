import { paymentStandings, type PaymentStanding } from '@fundrail/contracts';
import type { z } from 'zod';
import type { ServiceClient } from '../http/client/service-client.ts';

/** The call of another service's route for reconciliation. It only reads, or may be repeated. */
export function question<S extends z.ZodType>(about: string, body: unknown, answer: S) {
  return { method: 'POST', path: `/internal/reconciliation/${about}`, body, answer, retry: true } as const;
}

/** The states of these payments; at most a page. Throws when payments does not answer. */
export async function standingsOfPayments(
  services: ServiceClient,
  ids: readonly number[],
): Promise<readonly PaymentStanding[]> {
  const payment_ids = [...new Set(ids)];
  if (payment_ids.length === 0) return [];
  // Payments asks the providers about ids that it does not know.
  const call = { ...question('payments', { payment_ids }, paymentStandings), timeoutMs: 20_000 };
  return (await services.call('payments', call)).payments;
}

/** In one word: the payment's status, `void`, or `nothing`. */
export function standingName(payment: PaymentStanding | undefined): string {
  if (!payment) return 'nothing';
  return payment.known === 'payment' ? payment.status : payment.known;
}
