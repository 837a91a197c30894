import {
  CountedDeadlines,
  HolidayConsumer,
  HolidayCopy,
  HolidayList,
  RecountDeadlines,
} from '@fundrail/service-kit/holidays';
import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Tenants } from '@fundrail/service-kit/http';
import { Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { ClaimConsumer } from './claim/claim.consumer.ts';
import { ClaimController } from './claim/claim.controller.ts';
import { ClaimOrders } from './claim/claim-orders.ts';
import { ClaimSweep } from './claim/claim-sweep.ts';
import { GiveUpOrders } from './claim/give-up-orders.ts';
import { ReleaseClaim } from './claim/release-claim.ts';
import { ordersConfig } from './config.ts';
import { GatewayCallbackController } from './gateway/gateway-callback.controller.ts';
import { GatewayWork } from './gateway/gateway-work.ts';
import { gatewaypoa } from './gateway/gatewaypoa.ts';
import { LearnGatewayFacts } from './gateway/learn-gateway-facts.ts';
import { TakeGatewayCallback } from './gateway/take-gateway-callback.ts';
import { InvestmentAccounts } from './outside/investment-accounts.ts';
import { ConfirmInstallment } from './mf-purchase/confirm-installment.ts';
import { MfFolioController } from './mf-folio/mf-folio.controller.ts';
import { DebitInstallments } from './mf-purchase/debit-installments.ts';
import { MfPurchaseController } from './mf-purchase/mf-purchase.controller.ts';
import { RetryPurchase } from './mf-purchase/retry-purchase.ts';
import { CollectionController } from './mf-redemption/collection.controller.ts';
import { CollectInstallment } from './mf-redemption/collect-installment.ts';
import { GenerateInstallment } from './mf-redemption/generate-installment.ts';
import { InstallmentConsumer } from './mf-redemption/installment.consumer.ts';
import { LearnCollection } from './mf-redemption/learn-collection.ts';
import { MfRedemptionController } from './mf-redemption/mf-redemption.controller.ts';
import { ReturnCollection } from './mf-redemption/return-collection.ts';
import { SubmitCollected } from './mf-redemption/submit-collected.ts';
import { TakeInstallments } from './mf-redemption/take-installments.ts';
import { LearnMoney } from './nav/learn-money.ts';
import { MoneyConsumer } from './nav/money.consumer.ts';
import { CancelOrder } from './order/cancel-order.ts';
import { ChangeOrders } from './order/change-orders.ts';
import { OrderDeadlines } from './order/counted-deadlines.ts';
import { CreateOrders } from './order/create-orders.ts';
import { ExpireOrders } from './order/expire-orders.ts';
import { FindOrders } from './order/find-orders.ts';
import { ORDER_HOLIDAYS } from './order/order-holidays.ts';
import { claimsCheck } from './reconciliation/claims.check.ts';
import { gatewayBookCheck } from './reconciliation/gateway-book.check.ts';
import { installmentDebitsCheck } from './reconciliation/installment-debits.check.ts';
import { payoutsCheck } from './reconciliation/payouts.check.ts';
import { ReconciliationController } from './reconciliation/reconciliation.controller.ts';
import { PlanInstallments } from './outside/plan-installments.ts';

/** The controllers and providers of the service, with the given order gateway (token `ORDER_GATEWAY`). */
export function ordersWiring(orderGateway: Provider): ModuleMetadata {
  return {
    controllers: [
      ClaimConsumer,
      ClaimController,
      CollectionController,
      GatewayCallbackController,
      HolidayConsumer,
      InstallmentConsumer,
      MfFolioController,
      MfPurchaseController,
      MfRedemptionController,
      MoneyConsumer,
      ReconciliationController,
    ],
    providers: [
      orderGateway,
      CancelOrder,
      ChangeOrders,
      ClaimOrders,
      ClaimSweep,
      claimsCheck,
      CollectInstallment,
      ConfirmInstallment,
      CreateOrders,
      DebitInstallments,
      ExpireOrders,
      FindOrders,
      // When the Idempotency-Key of the request expires, though its plan never answered.
      forgetOldRows({ table: 'installment_draws', column: 'drawn_at', days: 1, clock: 'business' }),
      // Longer than the time in which a provider repeats a callback.
      forgetOldRows({ table: 'gateway_events', column: 'received_at', days: 'log_days', clock: 'business' }),
      GenerateInstallment,
      GiveUpOrders,
      gatewayBookCheck,
      GatewayWork,
      HolidayCopy,
      { provide: HolidayList, useValue: ORDER_HOLIDAYS },
      installmentDebitsCheck,
      InvestmentAccounts,
      LearnCollection,
      LearnGatewayFacts,
      LearnMoney,
      { provide: CountedDeadlines, useClass: OrderDeadlines },
      payoutsCheck,
      PlanInstallments,
      RecountDeadlines,
      ReleaseClaim,
      RetryPurchase,
      ReturnCollection,
      SubmitCollected,
      TakeGatewayCallback,
      TakeInstallments,
      Tenants,
    ],
  };
}

const wiring = ordersWiring(gatewaypoa);

@Module({ ...wiring, providers: [ordersConfig, ...(wiring.providers ?? [])] })
export class OrdersModule {}
