import { describeDeaths } from '../testing/crash/describe-deaths.ts';
import { DEATHS, isOfDebit } from '../testing/crash/fault-points.ts';

// Around notice and execution: the intent is recorded, the call is made and its answer lost, the answer is recorded.
describeDeaths('debits', DEATHS.filter(isOfDebit));
