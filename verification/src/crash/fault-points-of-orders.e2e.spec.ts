import { describeCrashes } from '../testing/crash/describe-crashes.ts';
import { CRASHES } from '../testing/crash/fault-points.ts';

// In a separate file, so that Jest can run it beside the others: each crash costs a start of everything.
describeCrashes(
  'orders',
  CRASHES.filter(({ fault }) => fault.point.startsWith('orders.')),
);
