import type { ServiceDefinition } from '@fundrail/service-kit';
import { serviceKitMigrations } from '@fundrail/service-kit/db';
import { simulatorConfig } from './config.ts';
import { SimulatorBaseline1700001000001 } from './migrations/0001-baseline.migration.ts';
import { CollectedOrders1700001020002 } from './migrations/collected-orders.migration.ts';
import { ClockMoves1700001070002 } from './migrations/clock-moves.migration.ts';
import { FirstCaptures1900000000060 } from './migrations/first-captures.migration.ts';
import { NoticeTexts1900000000095 } from './migrations/notice-texts.migration.ts';
import { PaidRedemptions1900000000124 } from './migrations/paid-redemptions.migration.ts';
import { RefusedNotices1900000000097 } from './migrations/refused-notices.migration.ts';
import { TradedDays1900000000121 } from './migrations/traded-days.migration.ts';
import { store } from './store/simulator.tables.ts';
import { SimulatorModule } from './simulator.module.ts';

/** The sandbox's outside systems as a service. It is never started with `SANDBOX=false`. */
export const simulatorService: ServiceDefinition = {
  name: 'simulator',
  module: SimulatorModule,
  config: simulatorConfig,
  migrations: [
    ...serviceKitMigrations,
    SimulatorBaseline1700001000001,
    CollectedOrders1700001020002,
    ClockMoves1700001070002,
    FirstCaptures1900000000060,
    NoticeTexts1900000000095,
    RefusedNotices1900000000097,
    TradedDays1900000000121,
    PaidRedemptions1900000000124,
  ],
  tables: Object.values(store).map(({ table }) => table),
};
