import { z } from 'zod';
import { debitRules, debitVariables } from '../config.ts';

/** The default figures of the policy. */
export const RULES = debitRules(z.object(debitVariables).parse({}));
