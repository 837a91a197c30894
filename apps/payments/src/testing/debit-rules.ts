import { z } from 'zod';
import { debitRules, debitVariables } from '../debit/debit-config.ts';

/** The policy's own figures: what the service has when no variable says otherwise. */
export const RULES = debitRules(z.object(debitVariables).parse({}));
