export * from './choice-faults.ts';
export * from './consent-evidence.ts';
export * from './define-policy.ts';
export * from './describe-policy.ts';
export * from './judge.ts';
export * from './judgements.ts';
export * from './policies.ts';
export type { PlannedQuestion } from './upi-status-enquiry.policy.ts';
export { isValidatedHandle } from './validated-upi-handle.policy.ts';
