import { ApiError, SERVICES, type ServiceName } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { quietReport, type QuietReport, type Round } from './quiet.ts';

/** As `queryThese`, of every service. With `tenant`, each also names some objects of that tenant that it works on. */
export function queryAll(services: ServiceClient, target: Date, tenant?: string): Promise<Round> {
  return queryThese(SERVICES, services, target, tenant);
}

/**
 * Queries these services, in parallel, for their unfinished work and their steps up to `target`. A service that does not respond (it may
 * be restarting) is null.
 */
export async function queryThese(
  names: Iterable<ServiceName>,
  services: Pick<ServiceClient, 'call'>,
  target: Date,
  tenant?: string,
): Promise<Round> {
  const params = new URLSearchParams({ before: target.toISOString(), ...(tenant && { tenant }) });
  const path = `/internal/sandbox/quiet?${params.toString()}`;
  const reports = Array.from(names, async (name) => [name, await query(services, name, path)] as const);
  return new Map(await Promise.all(reports));
}

async function query(
  services: Pick<ServiceClient, 'call'>,
  name: ServiceName,
  path: string,
): Promise<QuietReport | null> {
  try {
    return await services.call(name, { method: 'GET', path, answer: quietReport });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
    throw error;
  }
}
