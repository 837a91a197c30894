import { faultPoint } from '@fundrail/service-kit/http';

/** The places of this service at which a crash test may stop the process. Each name states what has just happened and what has not yet. */
type IdentityFaultPoint =
  'identity.erasure.running' | 'identity.erasure.service_erased' | 'identity.erasure.before_done';

/** Does nothing unless a crash test has set a handler (service-kit `faultPoint`). */
export const passFaultPoint: (name: IdentityFaultPoint) => Promise<void> | void = faultPoint;
