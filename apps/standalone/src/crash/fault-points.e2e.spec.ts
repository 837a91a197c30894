import { describeDeaths } from '../testing/crash/describe-deaths.ts';
import { DEATHS } from '../testing/crash/fault-points.ts';

describeDeaths(
  'payments, webhooks and what all services share',
  DEATHS.filter(({ fault }) => !fault.point.startsWith('orders.')),
);
