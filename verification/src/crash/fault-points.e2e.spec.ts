import { describeCrashes } from '../testing/crash/describe-crashes.ts';
import { isOfDebit } from '../testing/crash/fault-points.ts';

describeCrashes(
  'payments, webhooks and what all services share',
  (crash) => !/^(orders|mandates)\./.test(crash.fault.point) && !isOfDebit(crash),
);
