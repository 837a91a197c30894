import { Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { ClaimConsumer } from './claim/claim.consumer.ts';
import { ClaimController } from './claim/claim.controller.ts';
import { ClaimOrders } from './claim/claim-orders.ts';
import { ClaimSweep } from './claim/claim-sweep.ts';
import { ReleaseClaim } from './claim/release-claim.ts';
import { ordersConfig } from './config.ts';
import { GatewayCallbackController } from './gateway/gateway-callback.controller.ts';
import { GatewayWork } from './gateway/gateway-work.ts';
import { gatewaypoa } from './gateway/gatewaypoa.ts';
import { LearnGatewayFacts } from './gateway/learn-gateway-facts.ts';
import { TakeGatewayCallback } from './gateway/take-gateway-callback.ts';
import { InvestmentAccounts } from './investor/investment-accounts.ts';
import { CancelMfPurchase } from './mf-purchase/cancel-mf-purchase.ts';
import { ChangeMfPurchases } from './mf-purchase/change-mf-purchases.ts';
import { CreateMfPurchases } from './mf-purchase/create-mf-purchases.ts';
import { ExpireMfPurchases } from './mf-purchase/expire-mf-purchases.ts';
import { FindMfPurchases } from './mf-purchase/find-mf-purchases.ts';
import { MfPurchaseController } from './mf-purchase/mf-purchase.controller.ts';

/** What the service is made of, over an order gateway (token `ORDER_GATEWAY`). */
export function ordersWiring(orderGateway: Provider): ModuleMetadata {
  return {
    controllers: [ClaimConsumer, ClaimController, GatewayCallbackController, MfPurchaseController],
    providers: [
      orderGateway,
      CancelMfPurchase,
      ChangeMfPurchases,
      ClaimOrders,
      ClaimSweep,
      CreateMfPurchases,
      ExpireMfPurchases,
      FindMfPurchases,
      GatewayWork,
      InvestmentAccounts,
      LearnGatewayFacts,
      ReleaseClaim,
      TakeGatewayCallback,
    ],
  };
}

const wiring = ordersWiring(gatewaypoa);

@Module({ ...wiring, providers: [ordersConfig, ...(wiring.providers ?? [])] })
export class OrdersModule {}
