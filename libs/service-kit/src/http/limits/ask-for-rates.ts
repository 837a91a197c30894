import { leasedRates, type LeaseRates } from '@fundrail/contracts';
import type { ServiceClient } from '../client/service-client.ts';
import type { AskForRates } from './rate-limits.ts';

/**
 * Asks identity for the right to let requests in (`POST /internal/rate_leases`), for so many wall milliseconds at most. No request
 * waits that long: `RateLimits` judges those that wait before.
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
