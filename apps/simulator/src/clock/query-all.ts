import { ApiError, SERVICES, type ServiceName } from '@fundrail/contracts';
import { BUS_IS_EMPTY } from '@fundrail/service-kit';
import { ServiceClient } from '@fundrail/service-kit/http';
import { quietReport, type QuietReport, type Round } from './quiet.ts';

interface Asking {
  readonly target: Date;
  /** Each service also names some objects of that tenant that it works on. */
  readonly tenant?: string;
  /** It is known that no event is on the bus unless a mark has changed, so no service asks the bus. */
  readonly isBusEmpty?: boolean;
}

/** As `queryThese`, of every service. */
export function queryAll(services: ServiceClient, asking: Asking): Promise<Round> {
  return queryThese(SERVICES, services, asking);
}

/**
 * Queries these services, in parallel, for their unfinished work and their steps up to `target`. A service that does not respond (it may
 * be restarting) is null.
 */
export async function queryThese(
  names: Iterable<ServiceName>,
  services: Pick<ServiceClient, 'call'>,
  { target, tenant, isBusEmpty = false }: Asking,
): Promise<Round> {
  const params = new URLSearchParams({ before: target.toISOString(), ...(tenant && { tenant }) });
  // A header, because a service of the previous release refuses a parameter that it does not know. It asks the bus.
  const headers = isBusEmpty ? { [BUS_IS_EMPTY]: 'true' } : {};
  const call = { path: `/internal/sandbox/quiet?${params.toString()}`, headers };
  const reports = Array.from(names, async (name) => [name, await query(services, name, call)] as const);
  return new Map(await Promise.all(reports));
}

async function query(
  services: Pick<ServiceClient, 'call'>,
  name: ServiceName,
  call: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
): Promise<QuietReport | null> {
  try {
    return await services.call(name, { method: 'GET', ...call, answer: quietReport });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
    throw error;
  }
}
