import { Baseline } from '@fundrail/service-kit/db';
import type { QueryRunner } from 'typeorm';
import { gatewayTables } from './0001-baseline.gateway.ts';
import { mandateTables } from './0001-baseline.mandates.ts';
import { sdkvendorTables } from './0001-baseline.sdkvendor.ts';

/**
 * The tables of the simulator as release 0.1 left them, in place of the migrations of that release (decision 0045).
 * The product reads them only through gatewaypoa's HTTP interface.
 */
export class SimulatorBaseline1700001000001 extends Baseline {
  static readonly replaces = [
    'SimulatorTables1700000000100',
    'Collect1700000000200',
    'Sdkvendor1700000000300',
    'Mandates1700000000600',
    'OddCaptures1700000000700',
    'RepeatedDebits1700000000720',
    'Plans1700000000900',
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const tables of [gatewayTables, sdkvendorTables, mandateTables]) await runner.query(tables);
  }
}
