import { describeDeaths } from '../testing/crash/describe-deaths.ts';
import { DEATHS, isOfDebit } from '../testing/crash/fault-points.ts';

describeDeaths(
  'payments, webhooks and what all services share',
  DEATHS.filter((death) => !/^(orders|mandates)\./.test(death.fault.point) && !isOfDebit(death)),
);
