import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { Module } from '@nestjs/common';
import { BankPageController } from './bank-page/bank-page.controller.ts';
import { PlayBank } from './bank-page/play-bank.ts';
import { SendCallbacks } from './callback/send-callbacks.due.ts';
import { BusinessClock } from './clock/business-clock.ts';
import { ClockController } from './clock/clock.controller.ts';
import { ClockMoves } from './clock/clock-moves.ts';
import { ClockPatience, MoveClock } from './clock/move-clock.ts';
import { ReadClock } from './clock/read-clock.ts';
import { RecordMove } from './clock/record-move.ts';
import { simulatorConfig } from './config.ts';
import { AnswerDebit } from './debit/answer-debit.due.ts';
import { DebitsController } from './debit/debits.controller.ts';
import { ExecuteDebit } from './debit/execute-debit.ts';
import { SendNotice } from './debit/send-notice.ts';
import { FaultsController } from './fault/faults.controller.ts';
import { BuyerApp } from './fresh-checkout/buyer-app.ts';
import { FreshCheckoutController } from './fresh-checkout/fresh-checkout.controller.ts';
import { GatewayOrdersController } from './gateway-order/gateway-orders.controller.ts';
import { OrderSteps } from './gateway-order/order-steps.due.ts';
import { RequestReview } from './gateway-order/request-review.ts';
import { SubmitOrder } from './gateway-order/submit-order.ts';
import { GatewayPlansController } from './gateway-plan/gateway-plans.controller.ts';
import { PlanSteps } from './gateway-plan/plan-steps.due.ts';
import { TakePlan } from './gateway-plan/take-plan.ts';
import { HeldSteps } from './hold/held-steps.ts';
import { TenantSettings } from './hold/tenant-settings.ts';
import { CancelAuthorisation } from './mandate/cancel-authorisation.ts';
import { MandatesController } from './mandate/mandates.controller.ts';
import { RegisterAuthorisation } from './mandate/register-authorisation.ts';
import { RevokeMandate } from './mandate/revoke-mandate.ts';
import { AnswerCollect } from './provider-payment/answer-collect.due.ts';
import { CancelProviderPayment } from './provider-payment/cancel-provider-payment.ts';
import { PlayInvestor } from './provider-payment/play-investor.ts';
import { ProviderPaymentsController } from './provider-payment/provider-payments.controller.ts';
import { RegisterPayment } from './provider-payment/register-payment.ts';
import { ProcessRefund } from './refund/process-refund.due.ts';
import { RefundsController } from './refund/refunds.controller.ts';
import { StartRefund } from './refund/start-refund.ts';
import { CreateOrder } from './sdkvendor/create-order.ts';
import { CustomersController } from './sdkvendor/customers.controller.ts';
import { EndToken } from './sdkvendor/end-token.ts';
import { MakeRefund } from './sdkvendor/make-refund.ts';
import { ProcessSdkRefund } from './sdkvendor/process-sdk-refund.due.ts';
import { SdkOrdersController } from './sdkvendor/sdk-orders.controller.ts';
import { SdkPaymentsController } from './sdkvendor/sdk-payments.controller.ts';
import { SdkRefundsController } from './sdkvendor/sdk-refunds.controller.ts';
import { StartAttempt } from './sdkvendor/start-attempt.ts';
import { StartRecurring } from './sdkvendor/start-recurring.ts';
import { SeedController } from './seed/seed.controller.ts';
import { SimulateMandate } from './simulate/simulate-mandate.ts';
import { SimulateOrder } from './simulate/simulate-order.ts';
import { SimulatePayment } from './simulate/simulate-payment.ts';
import { SimulateController } from './simulate/simulate.controller.ts';
import { EndTransfer } from './transfer/end-transfer.ts';
import { SettleTransfer } from './transfer/settle-transfer.due.ts';
import { StartTransfer } from './transfer/start-transfer.ts';
import { TransfersController } from './transfer/transfers.controller.ts';
import { UpiPageController } from './upi-page/upi-page.controller.ts';

const gateway = [RequestReview, SubmitOrder, OrderSteps, SendCallbacks, HeldSteps, TenantSettings];
const plans = [TakePlan, PlanSteps];
const provider = [RegisterPayment, AnswerCollect, CancelProviderPayment, PlayInvestor];
const money = [StartTransfer, SettleTransfer, EndTransfer, StartRefund, ProcessRefund];
const razorpay = [
  CreateOrder,
  StartAttempt,
  StartRecurring,
  EndToken,
  MakeRefund,
  ProcessSdkRefund,
  PlayBank,
];
const mandates = [RegisterAuthorisation, CancelAuthorisation, RevokeMandate];
const debits = [SendNotice, ExecuteDebit, AnswerDebit];
const clock = [BusinessClock, ClockMoves, ClockPatience, MoveClock, ReadClock, RecordMove];
const sandbox = [SimulatePayment, SimulateMandate, SimulateOrder, BuyerApp];

/** The sandbox's outside systems: order gateway, registrar, payment provider, the investor's UPI app, and the clock. */
@Module({
  controllers: [
    ...[GatewayOrdersController, ProviderPaymentsController, TransfersController, RefundsController],
    ...[MandatesController, DebitsController, CustomersController],
    ...[SdkOrdersController, SdkPaymentsController, SdkRefundsController, BankPageController],
    ...[SimulateController, FaultsController, ClockController, SeedController, UpiPageController],
    ...[FreshCheckoutController, GatewayPlansController],
  ],
  providers: [
    simulatorConfig,
    ...[
      ...gateway,
      ...plans,
      ...provider,
      ...money,
      ...mandates,
      ...debits,
      ...razorpay,
      ...sandbox,
      ...clock,
    ],
    forgetOldRows({ table: 'clock_moves', column: 'ended_at', days: 7, clock: 'wall' }),
  ],
})
export class SimulatorModule {}
