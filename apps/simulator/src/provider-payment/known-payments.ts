import { paymentFacts, type PaymentFacts } from '@fundrail/contracts';
import type { ServiceClient } from '@fundrail/service-kit/http';

/**
 * The payment as the payments service knows it, or null when it does not exist. The simulated provider also lacks a payment whose URI is
 * not issued yet. Throws `ApiError` (503) when the payments service does not respond.
 */
export function findKnownPayment(services: ServiceClient, id: number): Promise<PaymentFacts | null> {
  return services.find('payments', `/internal/payments/${id}`, paymentFacts);
}
