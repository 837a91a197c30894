import { createHolidayCopies } from '@fundrail/service-kit/holidays';
import { Baseline } from '@fundrail/service-kit/db';
import type { QueryRunner } from 'typeorm';
import { countTables } from './0001-baseline.counts.ts';
import { debitTables } from './0001-baseline.debits.ts';
import { paymentTables } from './0001-baseline.payments.ts';

/** The tables of payments as release 0.1 left them, in place of the migrations of that release (decision 0045). */
export class PaymentsBaseline1700001000001 extends Baseline {
  static readonly replaces = [
    'Payments1700000000300',
    'Checkout1700000000310',
    'CheckoutAttempts1700000000330',
    'PaymentCounts1700000000340',
    'PaymentListIndexes1700000000341',
    'Mandates1700000000350',
    'OrderDebits1700000000360',
    'DebitRules1700000000370',
    'DebitsByMandate1700000000371',
    'DebitPace1700000000390',
    'DebitCalls1700000000395',
    'HolidayCopies1700000030000',
    'ProviderEventsByAge1700000050300',
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const tables of [paymentTables, countTables, debitTables]) await runner.query(tables);
    await createHolidayCopies(runner);
  }
}
