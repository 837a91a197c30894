import { ApiError, SERVICES, type ServiceName } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { quietReport, type QuietReport, type Round } from './quiet.ts';

/**
 * Queries every service, in parallel, for its unfinished work and its steps up to `target`. With `tenant`, each service also names some
 * objects of that tenant that it works on. A service that does not respond (it may be restarting) is null.
 */
export async function queryAll(services: ServiceClient, target: Date, tenant?: string): Promise<Round> {
  const params = new URLSearchParams({ before: target.toISOString(), ...(tenant && { tenant }) });
  const path = `/internal/sandbox/quiet?${params.toString()}`;
  const reports = SERVICES.map(async (name) => [name, await query(services, name, path)] as const);
  return new Map(await Promise.all(reports));
}

async function query(services: ServiceClient, name: ServiceName, path: string): Promise<QuietReport | null> {
  try {
    return await services.call(name, { method: 'GET', path, answer: quietReport });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
    throw error;
  }
}
