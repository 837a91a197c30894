import { mandateFacts } from '@fundrail/contracts';
import type { ServiceClient } from '@fundrail/service-kit/http';

/**
 * Whether the mandates service has this mandate. The simulated provider also lacks a mandate that is not registered yet. Throws
 * `ApiError` (503) when the mandates service does not respond.
 */
export async function isKnownMandate(services: ServiceClient, tenant: string, id: number): Promise<boolean> {
  const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
  return (await services.find('mandates', path, mandateFacts)) !== null;
}
