import { callsOf, type ServiceName } from '@fundrail/contracts';
import type { ServiceTransport } from './service-transport.ts';

/**
 * Refuses a call of `from` that TOPOLOGY does not name, also where no network policy would: in one process, under Compose and in
 * tests. So a call that is missing in the table fails before it fails in a cluster.
 */
export function withDeclaredCalls(from: ServiceName, transport: ServiceTransport): ServiceTransport {
  const allowed: readonly ServiceName[] = [from, ...callsOf(from)];
  return {
    request: (service, request) =>
      allowed.includes(service)
        ? transport.request(service, request)
        : Promise.reject(new Error(`${from} may not call ${service}: TOPOLOGY has no such call`)),
    close: () => transport.close(),
  };
}
