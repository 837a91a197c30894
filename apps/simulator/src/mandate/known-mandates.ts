import { mandateFacts, type MandateFacts } from '@fundrail/contracts';
import type { ServiceClient } from '@fundrail/service-kit/http';

/**
 * The mandate, as the mandates service has it; null when it has none. The simulated provider also lacks a mandate that is not registered yet. Throws
 * `ApiError` (503) when the mandates service does not respond.
 */
export function findKnownMandate(
  services: ServiceClient,
  tenant: string,
  id: number,
): Promise<MandateFacts | null> {
  const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
  return services.find('mandates', path, mandateFacts);
}
