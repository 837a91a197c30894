import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { plansConfig } from './config.ts';
import { SwpBaseline1700001000001 } from './migrations/0001-baseline.migration.ts';
import { MandateCopies1900000000114 } from './migrations/mandate-copies.migration.ts';
import { NationalHolidays1700001020004 } from './migrations/national-holidays.migration.ts';
import { DuePlansIndex1900000000115 } from './migrations/due-plans-index.migration.ts';
import { HeldSteps1900000000113 } from './migrations/held-steps.migration.ts';
import { PlanServers1900000000112 } from './migrations/plan-servers.migration.ts';
import { PurchasePlanIndexes1700001080001 } from './migrations/purchase-plan-indexes.migration.ts';
import { PurchasePlans1700001080000 } from './migrations/purchase-plans.migration.ts';
import { PLANS_PERSONAL } from './plan/personal.tables.ts';
import { PLAN_COURSES, REDEMPTION_PLANS } from './plan/plan.table.ts';
import { PLAN_SEQUENCES } from './reconciliation/standing.repository.ts';
import { PlansModule } from './plans.module.ts';

export { PLANS_FAULT_POINTS, type PlansFaultPoint } from './fault-points.ts';

/** Redemption and purchase plans: their states, the calendar, the schedule, and the installments (docs/specification/withdrawal-plans.md, purchase-plans.md). */
export const plansService: ServiceDefinition = {
  name: 'plans',
  module: PlansModule,
  config: plansConfig,
  migrations: [
    ...serviceKitMigrations,
    SwpBaseline1700001000001,
    NationalHolidays1700001020004,
    PurchasePlans1700001080000,
    PurchasePlanIndexes1700001080001,
    PlanServers1900000000112,
    HeldSteps1900000000113,
    MandateCopies1900000000114,
    DuePlansIndex1900000000115,
  ],
  tables: [REDEMPTION_PLANS, PLAN_COURSES],
  personal: PLANS_PERSONAL,
  sequences: PLAN_SEQUENCES,
};
