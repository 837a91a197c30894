import { leasedRates, type LeaseRates } from '@fundrail/contracts';
import type { ServiceClient } from '../client/service-client.ts';
import type { AskForRates } from './rate-limits.ts';

/** Requests may wait for this answer, so an identity that hangs or restarts holds nobody up for longer. Wall milliseconds. */
const LIMIT_MS = 250;

/** Asks identity for the right to let requests in (`POST /internal/rate_leases`). */
export function askForRates(client: ServiceClient): AskForRates {
  return async (asks) => {
    const body: LeaseRates = { asks: [...asks] };
    const call = { method: 'POST', path: '/internal/rate_leases', body, answer: leasedRates } as const;
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`no answer in ${LIMIT_MS} ms`)), LIMIT_MS);
    try {
      return (await Promise.race([client.call('identity', call), tooLate])).leases;
    } finally {
      clearTimeout(timer);
    }
  };
}
