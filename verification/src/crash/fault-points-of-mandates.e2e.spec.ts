import { describeCrashes } from '../testing/crash/describe-crashes.ts';
import { CRASHES } from '../testing/crash/fault-points.ts';

// In a separate file, like the one for orders. Days pass in most of these walks.
describeCrashes(
  'mandates',
  CRASHES.filter(({ fault }) => fault.point.startsWith('mandates.')),
);
