import { describeDeaths } from '../testing/crash/describe-deaths.ts';
import { DEATHS } from '../testing/crash/fault-points.ts';

// A file of its own, as that of orders. Days pass in most of these walks.
describeDeaths(
  'mandates',
  DEATHS.filter(({ fault }) => fault.point.startsWith('mandates.')),
);
