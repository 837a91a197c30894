import { ENVIRONMENT_RULES } from './environment-rules.ts';
import { INGRESS_RULES } from './ingress-rules.ts';
import { POD_RULES } from './pod-rules.ts';
import { REFERENCE_RULES } from './reference-rules.ts';
import { RELEASE_RULES } from './release-rules.ts';
import type { Rule } from './rule.ts';

/** All that holds for every overlay. */
export const RULES: readonly Rule[] = [
  ...POD_RULES,
  ...RELEASE_RULES,
  ...REFERENCE_RULES,
  ...ENVIRONMENT_RULES,
  ...INGRESS_RULES,
];
