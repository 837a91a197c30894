import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { AnswerCreation } from './collection/answer-creation.ts';
import { AskProvider } from './collection/ask-provider.ts';
import { AskStatus } from './collection/ask-status.ts';
import { authorisations } from './collection/authorisation/authorisation.wiring.ts';
import { paymentCallbacks } from './collection/callback.controller.ts';
import { CancelPayment } from './collection/cancel-payment.ts';
import { CaptureLimit } from './collection/capture-limit/capture-limit.guard.ts';
import { ChangeCollection } from './collection/change-collection.ts';
import { checkoutPage } from './collection/checkout-page/checkout-page.wiring.ts';
import { CheckoutTokens } from './collection/checkout-page/checkout-token.ts';
import { CaptureController } from './collection/checkout/capture.controller.ts';
import { CheckoutAnswers } from './collection/checkout/checkout-answers.ts';
import { OpenCheckout } from './collection/checkout/open-checkout.ts';
import { SettleCapture } from './collection/checkout/settle-capture.ts';
import { StartSdkCheckout } from './collection/checkout/start-sdk-checkout.ts';
import { CreatePaymentController } from './collection/create-payment.controller.ts';
import { CreatePayment } from './collection/create-payment.ts';
import { EndPayment } from './collection/end-payment.ts';
import { ExpirePayment } from './collection/expire-payment.ts';
import { FindPayments } from './collection/find-payments.ts';
import { ObserveOrder } from './collection/observe-order.ts';
import { OrderConsumer } from './collection/order.consumer.ts';
import { FindTerms } from './collection/payment-terms.ts';
import { PaymentController } from './collection/payment.controller.ts';
import { ProviderPayments } from './collection/provider-payments.ts';
import { StorePayment } from './collection/store-payment.ts';
import { TakeCallback } from './collection/take-callback.ts';
import { UpiQuestions } from './collection/upi/upi-questions.ts';
import { SendUpiRequest } from './collection/upi/send-upi-request.ts';
import { UpiCalls } from './collection/upi/upi-calls.ts';
import { PayeeHandles } from './collection/upi/payee-handles.ts';
import { paymentsConfig } from './config.ts';
import { debits } from './debit/debit.wiring.ts';
import { paymentProviders } from './outside/built-providers.ts';
import { OrderClaims } from './outside/claims-client.ts';
import { InvestorFacts } from './outside/investor-facts.ts';
import { Mandates } from './outside/mandates-client.ts';
import type { PaymentProviders } from './outside/payment-providers.ts';
import { AskToGiveUp } from './payment/ask-to-give-up.ts';
import { ChangePayment } from './payment/change-payment.ts';
import { Claims } from './payment/claims.ts';
import { FoldPaymentCounts } from './payment/fold-payment-counts.ts';
import { FreeOrders } from './payment/free-orders.ts';
import { InternalController } from './payment/internal.controller.ts';
import { MoveTransfer } from './payment/move-transfer.ts';
import { OpenPayment } from './payment/open-payment.ts';
import { PaymentIds } from './payment/payment-ids.ts';
import { PursueRefund } from './payment/pursue-refund.ts';
import { RefundPayment } from './payment/refund-payment.ts';
import { ResolvePayments } from './payment/resolve-payments.ts';
import { SweepUnconfirmed } from './payment/sweep-unconfirmed.ts';
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
  ExpirePayment,
  AskStatus,
  MoveTransfer,
  PursueRefund,
  SweepUnconfirmed,
  FreeOrders,
  FoldPaymentCounts,
  // Longer than any provider keeps retrying a callback.
  forgetOldRows({ table: 'provider_events', column: 'received_at', days: 'log_days', clock: 'business' }),
];
const PARTS = [
  AskProvider,
  AskToGiveUp,
  CaptureLimit,
  ChangePayment,
  AnswerCreation,
  ChangeCollection,
  CheckoutTokens,
  CheckoutAnswers,
  ...checkoutPage.providers,
  ...authorisations.providers,
  ...debits.providers,
  ...reconciliation.providers,
  ...traces.providers,
  Claims,
  EndPayment,
  FindTerms,
  PaymentIds,
  OpenPayment,
  OpenCheckout,
  PayeeHandles,
  ProviderPayments,
  StartSdkCheckout,
  SendUpiRequest,
  UpiCalls,
  UpiQuestions,
  StorePayment,
];
const OUTSIDE = [OrderClaims, InvestorFacts, Mandates];

/** The parts of the service, with the given payment providers. */
export function paymentsWiring(providers: Provider<PaymentProviders>): ModuleMetadata {
  return {
    controllers: [
      ...checkoutPage.controllers,
      ...authorisations.controllers,
      ...debits.controllers,
      ...reconciliation.controllers,
      ...traces.controllers,
      CreatePaymentController,
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
