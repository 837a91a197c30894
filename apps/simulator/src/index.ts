import type { ServiceDefinition } from '@fundrail/service-kit';
import { serviceKitMigrations } from '@fundrail/service-kit/db';
import { simulatorConfig } from './config.ts';
import { CollectedOrders1700001020002 } from './migrations/1700001020002-collected-orders.ts';
import { Collect1700000000200 } from './migrations/1700000000200-collect.ts';
import { Sdkvendor1700000000300 } from './migrations/1700000000300-sdkvendor.ts';
import { Mandates1700000000600 } from './migrations/1700000000600-mandates.ts';
import { OddCaptures1700000000700 } from './migrations/1700000000700-odd-captures.ts';
import { RepeatedDebits1700000000720 } from './migrations/1700000000720-repeated-debits.ts';
import { Plans1700000000900 } from './migrations/1700000000900-plans.ts';
import { ClockMoves1700001070002 } from './migrations/1700001070002-clock-moves.ts';
import { SimulatorTables1700000000100 } from './migrations/1700000000100-simulator-tables.ts';
import { SimulatorModule } from './simulator.module.ts';

/** The sandbox's outside systems as a service. It is never started with `SANDBOX=false`. */
export const simulatorService: ServiceDefinition = {
  name: 'simulator',
  module: SimulatorModule,
  config: simulatorConfig,
  migrations: [
    ...serviceKitMigrations,
    SimulatorTables1700000000100,
    Collect1700000000200,
    Sdkvendor1700000000300,
    Mandates1700000000600,
    OddCaptures1700000000700,
    RepeatedDebits1700000000720,
    Plans1700000000900,
    CollectedOrders1700001020002,
    ClockMoves1700001070002,
  ],
  tables: [],
};
