import { describeCrashes } from '../testing/crash/describe-crashes.ts';
import { CRASHES, isOfDebit } from '../testing/crash/fault-points.ts';

describeCrashes(
  'payments, webhooks and what all services share',
  CRASHES.filter((death) => !/^(orders|mandates)\./.test(death.fault.point) && !isOfDebit(death)),
);
