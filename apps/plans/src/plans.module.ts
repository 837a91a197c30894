import { failuresCheck } from './reconciliation/failures.check.ts';
import { installmentsCheck } from './reconciliation/installments.check.ts';
import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Tenants } from '@fundrail/service-kit/http';
import { Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import type { PlanGateway } from '@fundrail/providers';
import { plansConfig } from './config.ts';
import { GatewayWork } from './gateway/gateway-work.ts';
import { LearnPlanFacts } from './gateway/learn-plan-facts.ts';
import { PlanCallbackController } from './gateway/plan-callback.controller.ts';
import { gatewaypoa } from './gateway/plan-gateway.ts';
import { TakePlanCallback } from './gateway/take-plan-callback.ts';
import { HolidayController } from './holiday/holiday.controller.ts';
import { ReplaceHolidays } from './holiday/replace-holidays.ts';
import { DrawInstallment } from './installment/draw-installment.ts';
import { GenerateInstallments } from './installment/generate-installments.ts';
import { InternalController } from './installment/internal.controller.ts';
import { OrderConsumer } from './installment/order.consumer.ts';
import { CheckMandates } from './mandate/check-mandates.ts';
import { MandateConsumer } from './mandate/mandate.consumer.ts';
import { ReportMandateUnusable } from './mandate/report-mandate-unusable.ts';
import { InvestmentAccounts } from './outside/investment-accounts.ts';
import { Mandates } from './outside/mandates.ts';
import { CancelPlan } from './plan/cancel-plan.ts';
import { ChangePlan } from './plan/change-plan.ts';
import { CreatePlan } from './plan/create-plan.ts';
import { FindPlans } from './plan/find-plans.ts';
import { PlanController } from './plan/plan.controller.ts';
import { ChangePurchasePlans } from './purchase-plan/change-purchase-plans.ts';
import { CheckConsents } from './purchase-plan/check-consents.ts';
import { CreatePurchasePlans } from './purchase-plan/create-purchase-plans.ts';
import { PurchasePlanController } from './purchase-plan/purchase-plan.controller.ts';
import { SkipPurchasesController } from './purchase-plan/skip-purchases.controller.ts';
import { SkipPurchases } from './purchase-plan/skip-purchases.ts';
import { SkipInstallments } from './skip/skip-installments.ts';
import { SkipController } from './skip/skip.controller.ts';

/** The controllers and providers of the service, with the given order gateway. */
export function plansWiring(gateway: Provider<PlanGateway>): ModuleMetadata {
  return {
    controllers: [
      ...[PlanController, SkipController, HolidayController, InternalController],
      ...[PurchasePlanController, SkipPurchasesController],
      ...[PlanCallbackController, MandateConsumer, OrderConsumer],
    ],
    providers: [
      gateway,
      plansConfig,
      CancelPlan,
      ChangePlan,
      ChangePurchasePlans,
      CheckConsents,
      CheckMandates,
      CreatePlan,
      CreatePurchasePlans,
      DrawInstallment,
      FindPlans,
      GatewayWork,
      // Longer than the time in which a provider repeats a callback.
      forgetOldRows({ table: 'gateway_events', column: 'received_at', days: 'log_days', clock: 'business' }),
      GenerateInstallments,
      failuresCheck,
      installmentsCheck,
      InvestmentAccounts,
      LearnPlanFacts,
      Mandates,
      ReplaceHolidays,
      SkipInstallments,
      SkipPurchases,
      TakePlanCallback,
      Tenants,
      ReportMandateUnusable,
    ],
  };
}

@Module(plansWiring(gatewaypoa))
export class PlansModule {}
