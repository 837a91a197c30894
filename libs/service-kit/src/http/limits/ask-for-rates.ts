import { leasedRates, type LeaseRates } from '@fundrail/contracts';
import type { ServiceClient } from '../client/service-client.ts';
import type { AskForRates } from './rate-limits.ts';

/**
 * Leases requests from identity (`POST /internal/rate_leases`), within `limitMs` wall milliseconds. No request waits that long:
 * `RateLimits` decides waiting requests earlier.
 */
export function askForRates(client: ServiceClient, limitMs: number): AskForRates {
  return async (asks) => {
    const body: LeaseRates = { asks: [...asks] };
    const call = {
      method: 'POST',
      path: '/internal/rate_leases',
      body,
      answer: leasedRates,
      timeoutMs: limitMs,
    } as const;
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`no answer in ${limitMs} ms`)), limitMs);
    try {
      return (await Promise.race([client.call('identity', call), tooLate])).leases;
    } finally {
      clearTimeout(timer);
    }
  };
}
