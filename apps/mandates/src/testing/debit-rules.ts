import { HolidayList } from '@fundrail/service-kit/holidays';
import { z } from 'zod';
import { debitRules, debitVariables } from '../config.ts';
import { NOW } from './mandate.builder.ts';

/** The default figures of the policy. */
export const RULES = debitRules(z.object(debitVariables).parse({}), new HolidayList())(NOW);
