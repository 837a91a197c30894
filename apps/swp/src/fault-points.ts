import { faultPoint } from '@fundrail/service-kit/http';

/**
 * The places of this service at which a crash test may stop the process. Each name states what has just happened and what has not
 * yet.
 */
export const SWP_FAULT_POINTS = [
  'swp.create.before_commit',
  'swp.create.committed',
  'swp.change.before_commit',
  'swp.change.committed',
  'swp.cancel.before_commit',
  'swp.cancel.committed',
  'swp.review.before_call',
  'swp.review.called',
  'swp.register.before_call',
  'swp.register.called',
  'swp.status.before_call',
  'swp.status.called',
  'swp.facts.before_commit',
  'swp.facts.committed',
  'swp.callback.before_commit',
  'swp.callback.committed',
  'swp.generate.before_commit',
  'swp.generate.committed',
  'swp.draw.before_commit',
  'swp.draw.committed',
  'swp.publish.before_commit',
  'swp.end.before_commit',
  'swp.mandate_check.before_commit',
  'swp.mandate_ended.before_commit',
  'swp.skip.before_commit',
  'swp.skip.committed',
  'swp.cancel_skip.before_commit',
  'swp.cancel_skip.committed',
  'swp.holidays.before_commit',
  'swp.holidays.committed',
] as const;
export type SwpFaultPoint = (typeof SWP_FAULT_POINTS)[number];

/** Does nothing unless a crash test has set a handler (service-kit `faultPoint`). */
export const passFaultPoint: (name: SwpFaultPoint) => Promise<void> | void = faultPoint;
