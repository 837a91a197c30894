import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { authorisations } from './authorisation/authorisation.wiring.ts';
import { CaptureLimit } from './capture-limit/capture-limit.guard.ts';
import { checkoutPage } from './checkout-page/checkout-page.wiring.ts';
import { CheckoutTokens } from './checkout-page/checkout-token.ts';
import { paymentsConfig } from './config.ts';
import { Holds } from './outside/holds.ts';
import { Mandates } from './outside/mandates-client.ts';
import { debits } from './debit/debit.wiring.ts';
import { OrderClaims } from './outside/claims-client.ts';
import { paymentProviders } from './outside/built-providers.ts';
import { InvestorFacts } from './outside/investor-facts.ts';
import type { PaymentProviders } from './outside/payment-providers.ts';
import { AskProvider } from './payment/ask-provider.ts';
import { AskToGiveUp } from './payment/ask-to-give-up.ts';
import { AskStatus } from './payment/ask-status.ts';
import { paymentCallbacks } from './payment/callback.controller.ts';
import { CancelPayment } from './payment/cancel-payment.ts';
import { CaptureController } from './payment/capture.controller.ts';
import { ChangePayment } from './payment/change-payment.ts';
import { CheckoutAnswers } from './payment/checkout-answers.ts';
import { ClaimOrders } from './payment/claim-orders.ts';
import { CreatePayment } from './payment/create-payment.ts';
import { EndPayment } from './payment/end-payment.ts';
import { ExpirePayment } from './payment/expire-payment.ts';
import { FreeOrders } from './payment/free-orders.ts';
import { GiveUpCreation } from './payment/give-up-creation.ts';
import { FindPayments } from './payment/find-payments.ts';
import { FoldPaymentCounts } from './payment/fold-payment-counts.ts';
import { InternalController } from './payment/internal.controller.ts';
import { IssueUpiUri } from './payment/issue-upi-uri.ts';
import { MoveTransfer } from './payment/move-transfer.ts';
import { ObserveOrder } from './payment/observe-order.ts';
import { OpenCheckout } from './payment/open-checkout.ts';
import { OrderConsumer } from './payment/order.consumer.ts';
import { PaymentController } from './payment/payment.controller.ts';
import { PaymentIds } from './payment/payment-ids.ts';
import { FindTerms } from './payment/payment-terms.ts';
import { PursueRefund } from './payment/pursue-refund.ts';
import { RefundPayment } from './payment/refund-payment.ts';
import { ResolvePayments } from './payment/resolve-payments.ts';
import { CreationInserts } from './payment/creation-inserts.ts';
import { ProviderPayments } from './payment/provider-payments.ts';
import { SendCollect } from './payment/send-collect.ts';
import { SettleCapture } from './payment/settle-capture.ts';
import { StartSdkCheckout } from './payment/start-sdk-checkout.ts';
import { StorePayment } from './payment/store-payment.ts';
import { SweepUnconfirmed } from './payment/sweep-unconfirmed.ts';
import { TakeCallback } from './payment/take-callback.ts';
import { UpiRequest } from './payment/upi-request.ts';
import { reconciliation } from './reconciliation/reconciliation.wiring.ts';
import { traces } from './trace/trace.wiring.ts';

const USE_CASES = [
  CreatePayment,
  CancelPayment,
  RefundPayment,
  FindPayments,
  ResolvePayments,
  TakeCallback,
  SettleCapture,
  ObserveOrder,
];
const DUE_HANDLERS = [
  IssueUpiUri,
  SendCollect,
  ExpirePayment,
  AskStatus,
  MoveTransfer,
  PursueRefund,
  SweepUnconfirmed,
  FreeOrders,
  FoldPaymentCounts,
  // Longer than any provider keeps retrying a callback.
  forgetOldRows({ table: 'provider_events', column: 'received_at', days: 30, clock: 'business' }),
];
const PARTS = [
  AskProvider,
  AskToGiveUp,
  CaptureLimit,
  ChangePayment,
  CheckoutTokens,
  CheckoutAnswers,
  ...checkoutPage.providers,
  ...authorisations.providers,
  ...debits.providers,
  ...reconciliation.providers,
  ...traces.providers,
  ClaimOrders,
  EndPayment,
  FindTerms,
  GiveUpCreation,
  PaymentIds,
  OpenCheckout,
  ProviderPayments,
  StartSdkCheckout,
  UpiRequest,
  CreationInserts,
  StorePayment,
];
const OUTSIDE = [OrderClaims, InvestorFacts, Mandates, Holds];

/** The parts of the service, with the given payment providers. */
export function paymentsWiring(providers: Provider<PaymentProviders>): ModuleMetadata {
  return {
    controllers: [
      ...checkoutPage.controllers,
      ...authorisations.controllers,
      ...debits.controllers,
      ...reconciliation.controllers,
      ...traces.controllers,
      PaymentController,
      CaptureController,
      ...paymentCallbacks,
      InternalController,
      OrderConsumer,
    ],
    providers: [providers, paymentsConfig, ...OUTSIDE, ...PARTS, ...USE_CASES, ...DUE_HANDLERS],
  };
}

@Module(paymentsWiring(paymentProviders))
export class PaymentsModule {}
