import { PROVIDER_NAMES } from '@fundrail/contracts';
import type { PaymentProvider } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import type { FactoryProvider } from '@nestjs/common';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { accountsCheck } from './accounts.check.ts';
import { AskAgain } from './ask-again.ts';
import { capturesCheck } from './captures.check.ts';
import { debitsCheck } from './debits.check.ts';
import { ordersCheck } from './orders.check.ts';
import { ReadStandings } from './read-standings.ts';
import { ReconciliationController } from './reconciliation.controller.ts';
import { refundsCheck } from './refunds.check.ts';
import { transfersCheck } from './transfers.check.ts';

type BookOf = (db: Database, provider: PaymentProvider, ask: AskAgain) => ReconciliationCheck;

/** One check for each configured provider. */
function ofEachProvider(checkAt: BookOf): FactoryProvider<ReconciliationCheck | null>[] {
  return PROVIDER_NAMES.map((name) => ({
    provide: `${checkAt.name} ${name}`,
    inject: [Database, PaymentProviders, AskAgain],
    useFactory: (db: Database, providers: PaymentProviders, ask: AskAgain) =>
      providers.has(name) ? checkAt(db, providers.of(name), ask) : null,
  }));
}

/** The reconciliation of payments, and the data that it gives to other services. */
export const reconciliation = {
  controllers: [ReconciliationController],
  providers: [
    accountsCheck,
    AskAgain,
    debitsCheck,
    ordersCheck,
    ReadStandings,
    transfersCheck,
    ...ofEachProvider(capturesCheck),
    ...ofEachProvider(refundsCheck),
  ],
};
