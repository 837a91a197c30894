import { describeDeaths } from '../testing/crash/describe-deaths.ts';
import { DEATHS } from '../testing/crash/fault-points.ts';

// A file of its own, so that Jest can run it beside the others: each death costs a start of everything.
describeDeaths(
  'orders',
  DEATHS.filter(({ fault }) => fault.point.startsWith('orders.')),
);
