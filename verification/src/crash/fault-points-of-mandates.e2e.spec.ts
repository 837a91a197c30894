import { describeCrashes } from '../testing/crash/describe-crashes.ts';
import { isOfDebit } from '../testing/crash/fault-points.ts';

// In a separate file, like the one for orders. Days pass in most of these walks.
describeCrashes('mandates', (crash) => crash.fault.point.startsWith('mandates.') && !isOfDebit(crash));
