import { serviceKitMigrations, type ServiceDefinition } from '@fundrail/service-kit/db';
import { swpConfig } from './config.ts';
import { GatewayEventsByAge1700000050800 } from './migrations/gateway-events.migration.ts';
import { HolidayEvents1700000000850 } from './migrations/holiday-events.migration.ts';
import { PlanLists1700000040000 } from './migrations/plan-lists.migration.ts';
import { NationalHolidays1700001020004 } from './migrations/national-holidays.migration.ts';
import { PlanListIndexes1700000040001 } from './migrations/plan-list-indexes.migration.ts';
import { Swp1700000000800 } from './migrations/swp.migration.ts';
import { PLAN_COURSES, REDEMPTION_PLANS } from './plan/plan.table.ts';
import { SwpModule } from './swp.module.ts';

export { SWP_FAULT_POINTS, type SwpFaultPoint } from './fault-points.ts';

/** Redemption plans: their states, the calendar, the schedule, and the installments (docs/specification/withdrawal-plans.md). */
export const swpService: ServiceDefinition = {
  name: 'swp',
  module: SwpModule,
  config: swpConfig,
  migrations: [
    ...serviceKitMigrations,
    Swp1700000000800,
    HolidayEvents1700000000850,
    PlanLists1700000040000,
    PlanListIndexes1700000040001,
    GatewayEventsByAge1700000050800,
    NationalHolidays1700001020004,
  ],
  tables: [REDEMPTION_PLANS, PLAN_COURSES],
};
