import { describeCrashes } from '../testing/crash/describe-crashes.ts';
import { isOfDebit } from '../testing/crash/fault-points.ts';

// Around notice and execution: the intent is recorded, the call is made and its answer lost, the answer is recorded.
describeCrashes('debits', isOfDebit);
