import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Tenants } from '@fundrail/service-kit/http';
import { Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { BeginAuthorisation } from './authorisation/begin-authorisation.ts';
import { LearnAuthorisationFact } from './authorisation/learn-authorisation-fact.ts';
import { mandatesConfig } from './config.ts';
import { debits } from './debit/debit.wiring.ts';
import { AskMandateStatus } from './fact/ask-mandate-status.ts';
import { LearnMandateFacts } from './fact/learn-mandate-facts.ts';
import { mandateCallbacks } from './fact/mandate-callback.controller.ts';
import { TakeMandateCallback } from './fact/take-mandate-callback.ts';
import { CancelMandate } from './mandate/cancel-mandate.ts';
import { CreateMandate } from './mandate/create-mandate.ts';
import { ExpireMandate } from './mandate/expire-mandate.ts';
import { FindMandates } from './mandate/find-mandates.ts';
import { InternalController } from './mandate/internal.controller.ts';
import { MandateController } from './mandate/mandate.controller.ts';
import { PaymentConsumer } from './mandate/payment.consumer.ts';
import { BankAccounts } from './outside/bank-accounts.ts';
import { mandateProviders } from './outside/built-providers.ts';
import { DefaultProvider } from './outside/default-provider.ts';
import type { MandateProviders } from './outside/mandate-providers.ts';
import { debitsCheck } from './reconciliation/debits.check.ts';
import { mandatesCheck } from './reconciliation/mandates.check.ts';
import { ReconciliationController } from './reconciliation/reconciliation.controller.ts';
import { RevokeMandate } from './revocation/revoke-mandate.ts';
import { PaymentSweep } from './sweep/payment-sweep.ts';

/** The controllers and providers of the service, with the given payment providers. */
export function mandatesWiring(providers: Provider<MandateProviders>): ModuleMetadata {
  return {
    controllers: [
      ...debits.controllers,
      InternalController,
      ...mandateCallbacks,
      MandateController,
      PaymentConsumer,
      ReconciliationController,
    ],
    providers: [
      providers,
      mandatesConfig,
      ...debits.providers,
      AskMandateStatus,
      BankAccounts,
      BeginAuthorisation,
      CancelMandate,
      CreateMandate,
      DefaultProvider,
      ExpireMandate,
      FindMandates,
      // Longer than a bank needs for the authorisation of a token that is not known yet.
      forgetOldRows({
        table: 'mandate_provider_events',
        column: 'received_at',
        days: 'log_days',
        clock: 'business',
      }),
      LearnAuthorisationFact,
      LearnMandateFacts,
      debitsCheck,
      mandatesCheck,
      PaymentSweep,
      RevokeMandate,
      TakeMandateCallback,
      Tenants,
    ],
  };
}

@Module(mandatesWiring(mandateProviders))
export class MandatesModule {}
