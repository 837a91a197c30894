import { faultPoint } from '@fundrail/service-kit/http';

/**
 * The places of this service at which a crash test may stop the process. Each name states what has just happened and what has not
 * yet.
 */
export const PLANS_FAULT_POINTS = [
  'plans.create.before_commit',
  'plans.create.committed',
  'plans.change.before_commit',
  'plans.change.committed',
  'plans.cancel.before_commit',
  'plans.cancel.committed',
  'plans.review.before_call',
  'plans.review.called',
  'plans.register.before_call',
  'plans.register.called',
  'plans.status.before_call',
  'plans.status.called',
  'plans.facts.before_commit',
  'plans.facts.committed',
  'plans.callback.before_commit',
  'plans.callback.committed',
  'plans.generate.before_commit',
  'plans.generate.committed',
  'plans.draw.before_commit',
  'plans.draw.committed',
  'plans.publish.before_commit',
  'plans.end.before_commit',
  'plans.mandate_check.before_commit',
  'plans.mandate_ended.before_commit',
  'plans.skip.before_commit',
  'plans.skip.committed',
  'plans.cancel_skip.before_commit',
  'plans.cancel_skip.committed',
  'plans.holidays.before_commit',
  'plans.holidays.committed',
] as const;
export type PlansFaultPoint = (typeof PLANS_FAULT_POINTS)[number];

/** Does nothing unless a crash test has set a handler (service-kit `faultPoint`). */
export const passFaultPoint: (name: PlansFaultPoint) => Promise<void> | void = faultPoint;
