import type { JsonBounds } from '@fundrail/contracts';
import type { RoutePolicy } from './auth/route-policy.ts';

/** The limits of a route's body. */
interface BodyLimits extends JsonBounds {
  readonly bytes: number;
}

/** Far deeper than any of our schemas. */
const DEPTH = 32;

/**
 * 1 MiB, CONV-16. The longest list on a tenant's route has 400 dates (a year's holidays). Processor time grows with the number of
 * different names: 2,000 take 7 ms, 20,000 take 100 ms.
 */
const TENANTS: BodyLimits = { bytes: 1_048_576, values: 2_000, depth: DEPTH };
/** Other services send lists, such as 1000 ids. They have a service token. */
const SERVICES: BodyLimits = { ...TENANTS, values: 100_000 };
/** Callbacks without a token: a provider's longest is a few kilobytes. */
const PUBLIC: BodyLimits = { bytes: 65_536, values: 5_000, depth: DEPTH };
/** The forms of our pages and of the token endpoint: the longest field is an access token of 8 KiB. */
const FORMS: BodyLimits = { ...PUBLIC, bytes: 16_384 };

/** The limits for a body of this route. A path below `/internal/` is always for other services. */
export function bodyLimitsOf(policy: RoutePolicy = {}, url = ''): BodyLimits {
  if (policy.access === 'internal' || url.startsWith('/internal/')) return SERVICES;
  if (policy.form) return FORMS;
  return policy.access === 'public' ? PUBLIC : TENANTS;
}
