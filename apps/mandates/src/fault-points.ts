import type { RequestFaultPoint } from '@fundrail/service-kit/due';
import { faultPoint } from '@fundrail/service-kit/http';

/**
 * The places of this service at which a crash test may stop the process. Each name states what has just happened and what has not
 * yet.
 */
export type MandatesFaultPoint =
  | 'mandates.create.before_commit'
  | 'mandates.create.committed'
  | 'mandates.cancel.before_commit'
  | 'mandates.cancel.committed'
  | 'mandates.expire.before_commit'
  | 'mandates.authorisation.before_commit'
  | 'mandates.authorisation.committed'
  | 'mandates.debit.before_commit'
  | 'mandates.debit.committed'
  | 'mandates.debit.cancelled'
  | 'mandates.notice_begun'
  | 'mandates.notice_answered'
  | 'mandates.notified'
  | 'mandates.attempt_begun'
  | 'mandates.attempt_answered'
  | 'mandates.attempt_applied'
  | 'mandates.sweep.leased'
  | 'mandates.sweep.resolved'
  | `mandates.${'revoke' | 'status'}.${RequestFaultPoint}`
  | 'mandates.facts.before_commit'
  | 'mandates.callback.before_commit'
  | 'mandates.callback.committed';

/** Does nothing unless a crash test has set a handler (service-kit `faultPoint`). */
export const passFaultPoint: (name: MandatesFaultPoint) => Promise<void> | void = faultPoint;
